/* choice.c: chains of Booleans over places, and the order between choices.
 *
 * A place that is asked about is added to the choice, to all that it follows and to all that follow it, so
 * that C2 is one implication per place and pair. */
#include "encodings/choice.h"

typedef struct Point {
  uint32_t place;
  Term sees;
} Point;

typedef struct Choice {
  uint32_t oldest, newest;
  ChoiceId follows;
  ARRAY(ChoiceId) followers;
  ARRAY(Point) points; /* by place */
} Choice;

/* A place that was added to a choice. */
typedef struct Added {
  ChoiceId choice;
  uint32_t place;
} Added;

struct Choices {
  Terms *terms;
  Constraints *constraints;
  ARRAY(Choice) items;
  ARRAY(Added) added; /* in the order of time */
};

Choices *choices_new(Terms *terms, Constraints *constraints) {
  Choices *choices = memory_new(sizeof *choices);
  choices->terms = terms;
  choices->constraints = constraints;
  return choices;
}

void choices_free(Choices *choices) {
  if (!choices) return;
  for (uint32_t i = 0; i < choices->items.count; i++) {
    ARRAY_FREE(&choices->items.items[i].followers);
    ARRAY_FREE(&choices->items.items[i].points);
  }
  ARRAY_FREE(&choices->items);
  ARRAY_FREE(&choices->added);
  free(choices);
}

uint32_t choice_oldest(const Choices *choices, ChoiceId choice) {
  return choices->items.items[choice].oldest;
}
uint32_t choice_newest(const Choices *choices, ChoiceId choice) {
  return choices->items.items[choice].newest;
}
uint32_t choices_count(const Choices *choices) { return choices->items.count; }

/* The first point not below the place. */
static uint32_t point_search(const Choice *choice, uint32_t place) {
  uint32_t low = 0, high = choice->points.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (choice->points.items[middle].place < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool point_is_open(const Choice *choice, uint32_t place) {
  return place > choice->oldest && place <= choice->newest;
}

/* C1 by construction: what the neighbour above sees is seen, and nothing that the one below does not see. */
static Term point_make(Choices *choices, const Choice *choice, uint32_t at) {
  Term sees = term_variable(choices->terms, NULL);
  if (at > 0) sees = term_and(choices->terms, sees, choice->points.items[at - 1].sees);
  if (at < choice->points.count) sees = term_or(choices->terms, sees, choice->points.items[at].sees);
  return sees;
}

/* Adds the place to one choice. True: it is new. */
static bool point_add(Choices *choices, ChoiceId id, uint32_t place) {
  Choice *choice = &choices->items.items[id];
  if (!point_is_open(choice, place)) return false;
  uint32_t at = point_search(choice, place);
  if (at < choice->points.count && choice->points.items[at].place == place) return false;
  Term sees = point_make(choices, choice, at);
  ARRAY_PUSH(&choice->points, (Point){place, sees});
  memmove(&choice->points.items[at + 1], &choice->points.items[at],
          (choice->points.count - 1 - at) * sizeof *choice->points.items);
  choice->points.items[at] = (Point){place, sees};
  ARRAY_PUSH(&choices->added, (Added){id, place});
  return true;
}

static Term point_sees(const Choices *choices, ChoiceId id, uint32_t place) {
  const Choice *choice = &choices->items.items[id];
  if (place <= choice->oldest) return TERM_TRUE;
  if (place > choice->newest) return TERM_FALSE;
  return choice->points.items[point_search(choice, place)].sees;
}

/* C2 at one place. */
static void point_follow(Choices *choices, ChoiceId earlier, ChoiceId later, uint32_t place) {
  Term law =
      term_implies(choices->terms, point_sees(choices, earlier, place), point_sees(choices, later, place));
  if (law != TERM_TRUE) constraints_add(choices->constraints, law);
}

/* Adds the place to a choice and everything behind it. */
static void point_spread(Choices *choices, ChoiceId id, uint32_t place) {
  point_add(choices, id, place);
  for (uint32_t i = 0; i < choices->items.items[id].followers.count; i++) {
    ChoiceId follower = choices->items.items[id].followers.items[i];
    point_spread(choices, follower, place);
    point_follow(choices, id, follower, place);
  }
}

static bool point_is_known(const Choice *choice, uint32_t place) {
  uint32_t at = point_search(choice, place);
  return at < choice->points.count && choice->points.items[at].place == place;
}

Term choice_sees(Choices *choices, ChoiceId id, uint32_t place) {
  const Choice *choice = &choices->items.items[id];
  if (place <= choice->oldest) return TERM_TRUE;
  if (place > choice->newest) return TERM_FALSE;
  if (!point_is_known(choice, place)) {
    ChoiceId root = id;
    while (choices->items.items[root].follows != NO_CHOICE) root = choices->items.items[root].follows;
    point_spread(choices, root, place);
  }
  return point_sees(choices, id, place);
}

ChoiceId choice_new(Choices *choices, uint32_t oldest, uint32_t newest, ChoiceId follows) {
  ChoiceId id = choices->items.count;
  ARRAY_PUSH(&choices->items, (Choice){.oldest = oldest, .newest = newest, .follows = follows});
  if (follows == NO_CHOICE) return id;
  ARRAY_PUSH(&choices->items.items[follows].followers, id);
  for (uint32_t i = 0; i < choices->items.items[follows].points.count; i++) {
    uint32_t place = choices->items.items[follows].points.items[i].place;
    point_add(choices, id, place);
    point_follow(choices, follows, id, place);
  }
  return id;
}

ChoicesMark choices_mark(const Choices *choices) {
  return (ChoicesMark){choices->items.count, choices->added.count};
}

void choices_rewind(Choices *choices, ChoicesMark mark) {
  while (choices->added.count > mark.points) {
    Added added = choices->added.items[--choices->added.count];
    Choice *choice = &choices->items.items[added.choice];
    uint32_t at = point_search(choice, added.place);
    choice->points.count--;
    memmove(&choice->points.items[at], &choice->points.items[at + 1],
            (choice->points.count - at) * sizeof *choice->points.items);
  }
  while (choices->items.count > mark.choices) {
    Choice *choice = &choices->items.items[--choices->items.count];
    if (choice->follows != NO_CHOICE) choices->items.items[choice->follows].followers.count--;
    ARRAY_FREE(&choice->followers);
    ARRAY_FREE(&choice->points);
  }
}

Term choice_is_like(Choices *choices, ChoiceId id, uint32_t state) {
  const Choice *choice = &choices->items.items[id];
  Term like = TERM_TRUE;
  for (uint32_t i = 0; i < choice->points.count; i++) {
    Term sees = choice->points.items[i].sees;
    bool is_seen = choice->points.items[i].place <= state;
    like = term_and(choices->terms, like, is_seen ? sees : term_not(choices->terms, sees));
  }
  return like;
}

void choice_require(Choices *choices, Term condition, ChoiceId choice, uint32_t place) {
  constraints_add(choices->constraints,
                  term_implies(choices->terms, condition, choice_sees(choices, choice, place)));
}

void choice_forbid(Choices *choices, Term condition, ChoiceId choice, uint32_t place) {
  Term sees = choice_sees(choices, choice, place);
  constraints_add(choices->constraints, term_not(choices->terms, term_and(choices->terms, condition, sees)));
}

void choice_exclude(Choices *choices, ChoiceId choice, uint32_t first, uint32_t last) {
  Term inside = term_and(choices->terms, choice_sees(choices, choice, first),
                         term_not(choices->terms, choice_sees(choices, choice, last + 1)));
  constraints_add(choices->constraints, term_not(choices->terms, inside));
}

uint32_t choice_state(const Choices *choices, ChoiceId id, Solver *solver) {
  const Choice *choice = &choices->items.items[id];
  uint32_t state = choice->oldest;
  for (uint32_t i = 0; i < choice->points.count; i++)
    if (solver_model(solver, choice->points.items[i].sees)) state = choice->points.items[i].place;
  return state;
}
