"""The parts of the report that are the same without a script, as HTML."""

from __future__ import annotations

from html import escape

from plancost.pictures.scene import Scene
from plancost.pictures.svg import svg
from plancost.report.conflicts import Members, draw_conflicts
from plancost.report.histogram import Bar, SchemaCosts, bars, by_schema
from plancost.results.result import Result
from plancost.results.wording import (
    costs_in_short,
    linear_in_words,
    remarks,
    summary_rows,
)

_CONCEPTS = {
    "mcf": "as many plans as possible are optimal (mcf)",
    "scf": "as many plans as possible are cheaper than every alternative (scf)",
    "icf": "all plans are optimal, if that can be (icf)",
}
_MOST_LISTED = 30
_MOST_CLASSES = 100
_SHADES = 6
"""Schemas with a shade of their own in the bars."""


def opening(result: Result) -> str:
    """What was learned, in a sentence."""
    plans, optimal = result.plans, result.optimal_plans
    if plans == 1:
        who = "The observed plan is optimal" if optimal else "The observed plan is not optimal"
    elif optimal == plans:
        who = f"{'Both' if plans == 2 else f'All {plans}'} observed plans are optimal"
    else:
        who = f"{optimal or 'None'} of {plans} observed plans {_is(optimal)} optimal"
    return f"{who} under the learned costs: {costs_in_short(result.costs)}."


def proof(result: Result, notes: list[str]) -> str:
    """What is proven, and what else there is to know."""
    concept = _CONCEPTS.get(result.solution, result.solution)
    refined = ", with costs as near the initial ones as possible" if result.refined else ""
    factor = result.options.get("suboptimality")
    near = "" if factor is None else f"; a plan may cost {factor} times as much as the cheapest"
    rows = [
        ("asked for", "", f"costs under which {concept}{refined}{near}"),
        *summary_rows(result),
        (
            "checked",
            "yes" if result.verified else "in part",
            "every plan was checked by a search of its own"
            if result.verified
            else "the search could not finish for every plan",
        ),
    ]
    cells = "".join(
        f"<div><dt>{escape(name)}</dt><dd><b>{escape(value)}</b> {escape(words)}</dd></div>"
        for name, value, words in rows
    )
    said = [*remarks(result), *notes]
    listed = "".join(f"<li>{escape(words)}</li>" for words in said)
    return f'<dl class="proof">{cells}</dl>' + (f"<ul>{listed}</ul>" if said else "")


def map_figure(scene: Scene | None) -> str:
    """The map with buttons for its plans, or the sentence that there is none."""
    if scene is None:
        return (
            "<p>This case has no map: no single object moves in it, and it has too many states "
            "to draw each of them.</p>"
        )
    chips = "".join(
        f'<button type="button" class="chip route-{n}" data-plan="{route.number}" '
        f'aria-pressed="false"><span class="swatch"></span>{escape(route.name)}</button>'
        for n, route in enumerate(scene.coloured, start=1)
    )
    choice = ""
    if len(scene.routes) > len(scene.coloured):
        choice = (
            '<label class="choice">Any plan: <select id="map-plan">'
            '<option value="">none</option></select></label>'
        )
    costs = "".join(
        f'<li class="cost-{n}"><span class="swatch"></span>costs {escape(name)}</li>'
        for n, name in enumerate(scene.cost_scale.groups(), start=1)
    )
    notes = " ".join(
        [
            "A plan begins at the filled circle and ends at the open one.",
            f"Moves without an arrow cost {scene.least_cost}.",
            *scene.notes,
        ]
    )
    return (
        f'<figure id="picture" class="plancost-map">{svg(scene, alone=False)}'
        '<p id="map-status" aria-live="polite"></p>'
        f'<ul class="key">{costs}</ul><figcaption>{escape(notes)}</figcaption>'
        f'<div class="chips" role="group" aria-label="Show one plan">{chips}</div>{choice}</figure>'
    )


def costs_overview(result: Result) -> str:
    """The distribution of costs, and a line for each schema."""
    schemas = by_schema(result.costs)
    shade = {schema.name: min(n, _SHADES) for n, schema in enumerate(schemas, start=1)}
    return (
        '<div class="overview">'
        f"{_bars_table(bars(result.costs), shade)}{_schema_table(schemas, shade)}</div>"
    )


def shared_costs(result: Result) -> str:
    """The cost of each class of actions that share one, the dearest first."""
    if not result.shared:
        return ""
    classes = sorted(result.shared.items(), key=lambda item: (-item[1], item[0]))
    rows = "".join(
        f'<tr><td class="action">{escape(name)}</td><td class="number">{cost}</td></tr>'
        for name, cost in classes[:_MOST_CLASSES]
    )
    more = len(classes) - _MOST_CLASSES
    rest = f"<p>... and {more} more in the result file.</p>" if more > 0 else ""
    return (
        '<table class="classes"><caption>Shared costs (* stands for any argument)</caption>'
        '<thead><tr><th scope="col">class of actions</th><th scope="col" class="number">cost</th>'
        f"</tr></thead><tbody>{rows}</tbody></table>{rest}"
    )


def linear_costs(result: Result) -> str:
    """What costs that are linear are made of, a line for each schema."""
    items = "".join(
        f'<li>Cost of <span class="action">{escape(schema)}</span>: '
        f"{escape(linear_in_words(weights))}</li>"
        for schema, weights in (result.linear or {}).items()
    )
    return f"<ul>{items}</ul>" if items else ""


def conflicts_section(conflicts: list[Members], result: Result) -> str:
    """The graph of conflicts and the same in words."""
    if not conflicts:
        if result.optimal_plans == result.plans:
            return "<p>There are none: all plans are optimal together.</p>"
        return "<p>No plan is known to be in conflict with others.</p>"
    drawing = draw_conflicts(conflicts, result)
    note = (
        "Each number is a plan; joined plans cannot all be optimal, whatever the costs. Where "
        "more than two plans clash together, they meet in a dot. Filled plans are optimal now."
    )
    if drawing.shown < len(conflicts):
        note += f" {drawing.shown} of {len(conflicts)} conflicts are drawn."
    items = "".join(
        "<li>"
        + ", ".join(
            f'<a href="#plan-{number}" data-plan="{number}">{number}&nbsp;'
            f"{escape(result.observations[number - 1].plan)}</a>"
            for number in members
        )
        + "</li>"
        for members in conflicts[:_MOST_LISTED]
    )
    more = len(conflicts) - _MOST_LISTED
    rest = f"<p>... and {more} more; each plan below names its own.</p>" if more > 0 else ""
    return (
        f"<figure>{drawing.svg}<figcaption>{escape(note)}</figcaption></figure>"
        f"<details><summary>In words</summary><ul>{items}</ul>{rest}</details>"
    )


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _bars_table(found: list[Bar], shade: dict[str, int]) -> str:
    most = max((bar.total for bar in found), default=1)
    rows = []
    for bar in found:
        x = 0.0
        parts = []
        for schema, count in sorted(bar.counts.items(), key=lambda item: shade[item[0]]):
            width = max(0.4, 100 * count / most)
            parts.append(
                f'<rect class="shade-{shade[schema]}" x="{x:.2f}" width="{width:.2f}" height="10">'
                f"<title>{escape(schema)}: {count}</title></rect>"
            )
            x += width
        rows.append(
            f'<tr><th scope="row">{bar.label}</th><td class="number">{bar.total}</td>'
            '<td class="bar"><svg viewBox="0 0 101 10" preserveAspectRatio="none" '
            f'aria-hidden="true">{"".join(parts)}</svg></td></tr>'
        )
    return (
        '<table class="bars"><caption>How many actions have which cost</caption><thead><tr>'
        '<th scope="col">cost</th><th scope="col" class="number">actions</th>'
        '<td aria-hidden="true"></td></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _schema_table(schemas: list[SchemaCosts], shade: dict[str, int]) -> str:
    rows = "".join(
        f'<tr><th scope="row"><span class="swatch shade-{shade[item.name]}"></span>'
        f'{escape(item.name)}</th><td class="number">{item.actions}</td>'
        f'<td class="number">{item.least}</td><td class="number">{item.greatest}</td>'
        f'<td class="number">{item.total}</td></tr>'
        for item in schemas
    )
    heads = "".join(
        f'<th scope="col" class="number">{word}</th>'
        for word in ("actions", "least", "greatest", "sum")
    )
    return (
        '<table class="schemas"><caption>By action schema</caption><thead><tr>'
        f'<th scope="col">schema</th>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    )
