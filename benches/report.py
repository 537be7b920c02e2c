"""What was measured, what is allowed, and how both are printed."""

import json
import os
import platform

MB = 1e6


class Report:
    def __init__(self):
        self.series, self.bounds, self.facts, self.skipped = {}, [], [], []

    def bound(self, what, measured, allowed, unit, cpu=None, aim=False):
        """One figure against what is allowed; `cpu` is the same ratio in processor seconds.

        An aim is shown, and missing it fails nothing.
        """
        self.bounds.append(
            {
                "what": what,
                "measured": measured,
                "allowed": allowed,
                "unit": unit,
                "cpu": cpu,
                "holds": measured <= allowed,
                "aim": aim,
            }
        )

    def ratio(self, what, one, other, allowed, aim=False):
        """A bound on the medians of two series."""
        if one not in self.series or other not in self.series:
            return
        a, b = self.series[one], self.series[other]
        self.bound(what, a.wall / b.wall, allowed, "×", cpu=a.cpu / b.cpu, aim=aim)

    def fact(self, text):
        self.facts.append(text)

    def drop_empty(self):
        """Forgets what was begun and never measured; why is among the skipped."""
        self.series = {name: s for name, s in self.series.items() if s.runs}

    def missed(self):
        return [b["what"] for b in self.bounds if not b["holds"] and not b["aim"]]

    def print(self):
        for fact in self.facts:
            print(f"- {fact}")
        print("\n| run | median s | from – to s | CPU s | peak MB |\n|---|--:|--:|--:|--:|")
        for name, series in self.series.items():
            low, high = series.spread
            print(
                f"| {name} | {series.wall:.3f} | {low:.3f} – {high:.3f} | {series.cpu:.2f} "
                f"| {series.memory / MB:.0f} |"
            )
        print("\n| bound | measured | in CPU s | allowed | |\n|---|--:|--:|--:|---|")
        for b in self.bounds:
            said = "holds" if b["holds"] else "missed"
            said += " (an aim)" if b["aim"] else ""
            cpu = "" if b["cpu"] is None else show(b["cpu"], b["unit"])
            measured, allowed = show(b["measured"], b["unit"]), show(b["allowed"], b["unit"])
            print(f"| {b['what']} | {measured} | {cpu} | ≤ {allowed} | {said} |")
        for skipped in self.skipped:
            print(f"\nNot measured: {skipped}")

    def save(self, path):
        runs = {
            name: [{"wall": r.wall, "cpu": r.cpu, "memory": r.memory} for r in series.runs]
            for name, series in self.series.items()
        }
        whole = {"facts": self.facts, "runs": runs, "bounds": self.bounds, "skipped": self.skipped}
        with open(path, "w") as file:
            json.dump(whole, file, indent=1)


def show(value, unit):
    if unit == "×":
        return f"{value:.3f} ×"
    digits = 1 if abs(value) < 100 else 0
    return f"{value:.{digits}f} {unit}"


def load():
    """How busy the machine is: figures of a busy one hold as ratios at best."""
    return " ".join(f"{n:.1f}" for n in os.getloadavg())


def machine():
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, load {load()}"
