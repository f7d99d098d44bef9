"""The numbers that the paper published, for the comparison with ours.

Mean ± deviation of the ratio of plans turned optimal, in per cent (it has two digits); ``-``
is a grey cell. Columns are grid, barman, openstacks and transport, each with 10, 100 and 1000
plans; Table 2 has one column, the small grid with 10 plans.
"""

from __future__ import annotations

from dataclasses import dataclass

DOMAINS = ("grid", "barman", "openstacks", "transport")
SIZES = (10, 100, 1000)
TITLES = {
    "table2": "Table 2",
    "mcf": "Table 3",
    "scf": "Appendix C, the table of SCF",
    "mcfc": "Appendix C, the table of MCF with initial costs",
    "scfc": "Appendix C, the table of SCF with initial costs",
}
LIMIT_S, LIMIT_MB = 1800, 8192

_TABLES = {
    "table2": """
baseline 5±7
10       7±11
100      53±24
1000     55±24
all      55±24
""",
    "mcf": """
baseline 27±10  46±0   37±5   17±8   18±30  6±4    3±5    1±1    1±0    10±7   2±0    3±0
10       43±16  26±0   37±5   100±0  65±27  8±3    5±10   0±1    1±1    18±8   3±0    0±0
100      54±25  35±0   37±5   100±0  65±27  8±3    19±30  0±0    12±19  16±10  0±0    0±0
1000     81±12  49±0   37±5   100±0  65±27  8±3    -      -      -      -      -      -
10000    78±15  49±0   37±5   -      -      -      -      -      -      -      -      -
""",
    "scf": """
baseline 2±4    4±5    15±13  0±0    -      0±0    0±0    0±0    0±0    0±0    0±0    0±0
10       8±12   3±5    14±10  0±0    -      0±0    0±0    0±0    0±0    0±0    10±30  0±0
100      50±25  -      14±10  0±0    -      0±0    0±0    0±0    0±0    0±0    -      -
1000     80±11  -      -      0±0    -      0±0    -      -      -      -      -      0±0
10000    76±20  32±7   -      -      -      -      -      -      -      -      -      -
""",
    "mcfc": """
baseline 40±22  46±0   37±5   20±0   18±30  6±4    3±5    1±1    1±0    7±5    2±0    3±0
10       43±24  26±0   37±5   100±0  65±27  8±3    0±0    0±0    0±0    12±4   7±0    0±0
100      73±11  35±0   37±5   100±0  65±27  8±3    0±0    0±0    0±0    28±15  13±0   7±0
1000     83±7   49±0   37±5   100±0  65±27  8±3    -      -      -      -      -      -
10000    60±40  49±0   37±5   100±0  -      -      -      -      -      -      -      -
""",
    "scfc": """
baseline 3±4    0±0    21±15  0±0    -      0±0    0±0    0±0    0±0    0±0    0±0    0±0
10       7±13   0±0    57±43  0±0    -      0±0    0±0    20±40  0±0    2±4    10±30  42±47
100      55±18  -      19±11  0±0    -      0±0    10±30  20±40  14±35  22±7   -      -
1000     80±7   19±0   -      0±0    -      0±0    -      -      -      -      -      -
10000    80±0   8±0    -      -      -      -      -      -      -      -      -      -
""",
}


@dataclass(frozen=True)
class Published:
    """A cell of the paper; grey if there is no mean."""

    mean: float | None
    deviation: float | None


def published(study: str) -> dict[tuple[str, int, str], Published]:
    """The cells of a table of the paper, by domain, size and row."""
    found = {}
    for line in _TABLES[study].strip().splitlines():
        row, *cells = line.split()
        places = [(domain, size) for domain in DOMAINS for size in SIZES][: len(cells)]
        for (domain, size), text in zip(places, cells, strict=True):
            mean, _, deviation = text.partition("±")
            found[domain, size, row] = (
                Published(None, None)
                if text == "-"
                else Published(int(mean) / 100, int(deviation) / 100)
            )
    return found
