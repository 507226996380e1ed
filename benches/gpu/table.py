"""The table of a run, and its picture: what run.sh has left in a folder.

    python table.py FOLDER > table.md      also writes FOLDER/table.svg

Times are medians in milliseconds. A ratio is Futi's time over the best of the peers': below one Futi is faster.
"""

import json
import pathlib
import statistics
import sys
from math import log10

FRAMEWORKS = ["futi", "jax", "torch"]


def results(folder: pathlib.Path) -> dict:
    """Medians in microseconds: by program, entry point and dataset, then by framework."""
    rows: dict = {}
    for framework in FRAMEWORKS:
        for path in sorted(folder.glob(f"{framework}-*.json")):
            for entry, data in json.loads(path.read_text()).items():
                for dataset, result in data["datasets"].items():
                    runs = result["runtimes"] if isinstance(result, dict) else []
                    key = (pathlib.Path(entry.split(":")[0]).name + ":" + entry.split(":")[-1], dataset)
                    rows.setdefault(key, {})[framework] = statistics.median(runs) if runs else None
    return rows


def ratio(row: dict):
    peers = [row[f] for f in FRAMEWORKS[1:] if row.get(f)]
    return row["futi"] / min(peers) if row.get("futi") and peers else None


def table(rows: dict) -> str:
    shown = lambda t: f"{t / 1e3:.3f}" if t else "–"
    lines = ["| workload | arguments | " + " | ".join(f"{f}, ms" for f in FRAMEWORKS) + " | ratio |", "|---|---|" + "---|" * (len(FRAMEWORKS) + 1)]
    for (entry, dataset), row in rows.items():
        r = ratio(row)
        times = " | ".join(shown(row.get(f)) for f in FRAMEWORKS)
        lines.append(f"| {entry} | `{dataset}` | {times} | {f'{r:.2f}' if r else '–'} |")
    return "\n".join(lines)


def picture(rows: dict) -> str:
    """Ratios as bars, on a logarithmic scale from a tenth to a thousand."""
    ratios = [(entry.split(":")[1], ratio(row)) for (entry, _), row in rows.items()]
    ratios = [(name, r) for name, r in ratios if r]
    x = lambda r: 140 + 90 * (min(max(log10(r), -1), 3) + 1)
    height = 40 + 18 * len(ratios)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="560" height="{height}" font-family="sans-serif" font-size="11">']
    for power in range(-1, 4):
        at = x(10**power)
        parts.append(f'<line x1="{at}" x2="{at}" y1="20" y2="{height - 10}" stroke="#ccc"/><text x="{at}" y="14" text-anchor="middle">{10**power:g}</text>')
    for k, (name, r) in enumerate(ratios):
        y = 26 + 18 * k
        left, right = sorted((x(1), x(r)))
        colour = "#4a8" if r <= 1 else "#c65"
        parts.append(f'<text x="134" y="{y + 10}" text-anchor="end">{name}</text>')
        parts.append(f'<rect x="{left:.1f}" y="{y}" width="{max(right - left, 1):.1f}" height="12" fill="{colour}"/>')
    return "\n".join([*parts, "</svg>", ""])


def main(folder: str) -> None:
    rows = results(pathlib.Path(folder))
    print(table(rows))
    (pathlib.Path(folder) / "table.svg").write_text(picture(rows))


if __name__ == "__main__":
    main(sys.argv[1])
