"""plot.py: line plots as SVG, by hand: lines of points, each axis linear or logarithmic."""

import math
from xml.sax.saxutils import escape

COLOURS = ("#1b6ca8", "#c0392b", "#27864f", "#8e5bb5", "#b9770e", "#4d5656", "#d0659b", "#2e86ab", "#7d6608", "#17202a")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 70, 170, 36, 48


class Axis:
    def __init__(self, values, begin, end, is_log):
        self.is_log = is_log and min(values) > 0
        low, high = min(values), max(values)
        if self.is_log:
            low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
        else:
            low = min(low, 0)
        self.low, self.high = low, high if high > low else low + 1
        self.begin, self.end = begin, end

    def place(self, value):
        if self.is_log:
            share = (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        if self.is_log:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [10.0 ** exponent for exponent in range(first, last + 1)]
        step = 10 ** math.floor(math.log10(self.high - self.low))
        while (self.high - self.low) / step < 4:
            step /= 2
        return [self.low + step * count for count in range(int((self.high - self.low) / step + 1.001))]


def label(value):
    if value and (abs(value) >= 10000 or abs(value) < 0.01):
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")
    return f"{value:g}"


def text(x, y, words, anchor="middle", size=12, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {more}>{escape(words)}</text>'


def axes(horizontal, vertical, x_title, y_title):
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    marks = []
    for value in horizontal.ticks():
        x = horizontal.place(value)
        marks += [f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#e4e4e4"/>', text(x, bottom + 16, label(value))]
    for value in vertical.ticks():
        y = vertical.place(value)
        marks += [f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e4e4e4"/>', text(LEFT - 6, y + 4, label(value), "end")]
    middle = (TOP + bottom) / 2
    marks += [f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" fill="none" stroke="#777"/>',
              text((LEFT + right) / 2, HEIGHT - 12, x_title),
              text(18, middle, y_title, more=f'transform="rotate(-90 18 {middle:.1f})"')]
    return marks


def line_plot(title, x_title, y_title, lines, x_log=False, y_log=False):
    """lines: {name: [(x, y), ...]}.  Returns the SVG's text, or None where there is nothing to draw."""
    lines = {name: sorted(points) for name, points in lines.items() if points}
    points = [point for found in lines.values() for point in found]
    if not points:
        return None
    horizontal = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT, x_log)
    vertical = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP, y_log and min(y for _, y in points) > 0)
    marks = axes(horizontal, vertical, x_title, y_title)
    for number, (name, found) in enumerate(lines.items()):
        colour, dash = COLOURS[number % len(COLOURS)], ' stroke-dasharray="5 3"' if number >= len(COLOURS) else ""
        places = [(horizontal.place(x), vertical.place(y)) for x, y in found]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        marks.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')
        marks += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in places]
        y = TOP + 8 + 18 * number
        marks += [f'<line x1="{WIDTH - RIGHT + 12}" y1="{y}" x2="{WIDTH - RIGHT + 34}" y2="{y}" stroke="{colour}" stroke-width="2"{dash}/>',
                  text(WIDTH - RIGHT + 40, y + 4, name, "start")]
    body = "\n".join([text(LEFT, 22, title, "start", 14), *marks])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n')
