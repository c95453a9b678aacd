/* twitter.c: users who follow each other, and what they write. */
#include "src/live/workload.h"

#include <stdio.h>

enum { USERS, FOLLOWS, TWEETS };

/* Few are followed by many: the smaller of two draws. */
static int64_t user_pick(Client *client, const Scale *scale) {
  int64_t one = random_between(&client->random, 1, scale->value[USERS]);
  int64_t other = random_between(&client->random, 1, scale->value[USERS]);
  return one < other ? one : other;
}

static bool new_tweet(Client *client, const Scale *scale) {
  char text[141];
  int64_t user = user_pick(client, scale);
  random_letters(&client->random, text, (size_t)random_between(&client->random, 10, 140));
  client_execute(client, "INSERT INTO tweets (id, user_id, body, created) VALUES (?, ?, ?, ?)", "iiss",
                 workload_fresh(client, scale->value[TWEETS]), user, text, workload_time(client));
  client_execute(client, "UPDATE users SET tweet_count = tweet_count + 1 WHERE id = ?", "i", user);
  return true;
}

/* Whoever follows already stops following. */
static bool follow(Client *client, const Scale *scale) {
  int64_t follower = user_pick(client, scale), followee = user_pick(client, scale);
  const Reply *known =
      client_execute(client, "SELECT COUNT(*) AS n FROM follows WHERE follower = ? AND followee = ?", "ii",
                     follower, followee);
  if (reply_int(known, 0, 0) == 0)
    client_execute(client, "INSERT INTO follows (follower, followee) VALUES (?, ?)", "ii", follower,
                   followee);
  else
    client_execute(client, "DELETE FROM follows WHERE follower = ? AND followee = ?", "ii", follower,
                   followee);
  return true;
}

static bool timeline(Client *client, const Scale *scale) {
  client_execute(
      client,
      "SELECT t.id, u.name, t.body FROM tweets t JOIN follows f ON f.followee = t.user_id JOIN users u ON "
      "u.id = t.user_id WHERE f.follower = ? ORDER BY t.id DESC LIMIT 20",
      "i", user_pick(client, scale));
  return true;
}

static bool show_follow(Client *client, const Scale *scale) {
  int64_t user = user_pick(client, scale);
  client_execute(
      client,
      "SELECT u.id, u.name FROM users u WHERE u.id IN (SELECT followee FROM follows WHERE follower = ?) "
      "ORDER BY u.name",
      "i", user);
  client_execute(client, "SELECT COUNT(*) AS followers FROM follows WHERE followee = ?", "i", user);
  return true;
}

static bool show_tweets(Client *client, const Scale *scale) {
  int64_t user = user_pick(client, scale);
  client_execute(client, "SELECT name, tweet_count FROM users WHERE id = ?", "i", user);
  client_execute(client, "SELECT id, body, created FROM tweets WHERE user_id = ? ORDER BY id DESC LIMIT 10",
                 "i", user);
  return true;
}

static void populate_users(Population *population, const Scale *scale) {
  char name[32];
  population_table(population, "users", "id, name, tweet_count");
  for (int64_t id = 1; id <= scale->value[USERS]; id++) {
    snprintf(name, sizeof name, "user%lld", (long long)id);
    population_row(population, "isi", id, name, (int64_t)0);
  }
}

/* A user's first followees are those right behind it, so that no pair comes twice. */
static void populate_follows(Population *population, const Scale *scale) {
  int64_t users = scale->value[USERS],
          each = scale->value[FOLLOWS] < users ? scale->value[FOLLOWS] : users - 1;
  population_table(population, "follows", "follower, followee");
  for (int64_t user = 1; user <= users; user++) {
    int64_t count = random_between(&population->random, 0, each);
    for (int64_t i = 1; i <= count; i++) population_row(population, "ii", user, (user + i - 1) % users + 1);
  }
}

static void populate_tweets(Population *population, const Scale *scale) {
  char body[61];
  population_table(population, "tweets", "id, user_id, body, created");
  for (int64_t id = 1; id <= scale->value[TWEETS]; id++) {
    random_letters(&population->random, body, 60);
    population_row(population, "iiss", id, random_between(&population->random, 1, scale->value[USERS]), body,
                   "2023-12-31 00:00:00");
  }
}

static void populate(Population *population, const Scale *scale) {
  population_define(
      population,
      "CREATE TABLE users (id INT PRIMARY KEY, name VARCHAR(32) NOT NULL, tweet_count INT NOT NULL)");
  population_define(population,
                    "CREATE TABLE follows (follower INT NOT NULL, followee INT NOT NULL, PRIMARY KEY "
                    "(follower, followee))");
  population_define(population, "CREATE INDEX follows_followee ON follows (followee)");
  population_define(population,
                    "CREATE TABLE tweets (id BIGINT PRIMARY KEY, user_id INT NOT NULL, body VARCHAR(140) "
                    "NOT NULL, created TIMESTAMP NOT NULL)");
  population_define(population, "CREATE INDEX tweets_user ON tweets (user_id)");
  populate_users(population, scale);
  populate_follows(population, scale);
  populate_tweets(population, scale);
}

const Workload WORKLOAD_TWITTER = {
    .name = "twitter",
    .summary = "users, who follows whom, and tweets",
    .parameters = {{"users", 1000, 2, 10000000, "users"},
                   {"follows", 20, 0, 10000, "users that each follows at first, at most"},
                   {"tweets", 2000, 0, 100000000, "tweets at first"}},
    .kinds = {{"new-tweet", 20, new_tweet},
              {"follow", 40, follow},
              {"timeline", 10, timeline},
              {"show-follow", 10, show_follow},
              {"show-tweets", 20, show_tweets}},
    .populate = populate,
};
