"""The parts of the report that are the same without a script, as HTML."""

from __future__ import annotations

from plancost.files.escape import html_text
from plancost.pictures.scene import Scene, span
from plancost.pictures.svg import svg
from plancost.report.conflicts import Members, draw_conflicts
from plancost.report.histogram import Bar, bars, by_schema
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
        who = f"The observed plan is {'' if optimal else 'not '}optimal"
    elif optimal == plans:
        who = f"{'Both' if plans == 2 else f'All {plans}'} observed plans are optimal"
    else:
        are = "is" if optimal == 1 else "are"
        who = f"{optimal or 'None'} of {plans} observed plans {are} optimal"
    return f"{who} under the learned costs: {costs_in_short(result.costs)}."


def proof(result: Result, notes: list[str]) -> str:
    """What is proven, and notes on the run."""
    concept = _CONCEPTS.get(result.solution, result.solution)
    refined = ", with costs as near the initial ones as possible" if result.refined else ""
    factor = result.options.get("suboptimality")
    near = "" if factor is None else f"; a plan may cost {factor} times as much as the cheapest"
    checked = ("yes", "every plan was checked by a search of its own")
    if not result.verified:
        checked = ("in part", "the search could not finish for every plan")
    rows = [
        ("asked for", "", f"costs under which {concept}{refined}{near}"),
        *summary_rows(result),
        ("checked", *checked),
    ]
    cells = "".join(
        f"<div><dt>{html_text(name)}</dt>"
        f"<dd><b>{html_text(value)}</b> {html_text(words)}</dd></div>"
        for name, value, words in rows
    )
    said = [*remarks(result), *notes]
    listed = "".join(f"<li>{html_text(words)}</li>" for words in said)
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
        f'aria-pressed="false"><span class="swatch"></span>{html_text(route.name)}</button>'
        for n, route in enumerate(scene.coloured, start=1)
    )
    choice = ""
    if len(scene.routes) > len(scene.coloured):
        choice = (
            '<label class="choice">Any plan: <select id="map-plan">'
            '<option value="">none</option></select></label>'
        )
    costs = "".join(
        f'<li class="cost-{n}"><span class="swatch"></span>costs {html_text(name)}</li>'
        for n, name in enumerate(scene.cost_scale.groups(), start=1)
    )
    begins = "A plan begins at the filled circle and ends at the open one."
    notes = " ".join([begins, f"Moves without an arrow cost {scene.least_cost}.", *scene.notes])
    return (
        f'<figure id="picture" class="plancost-map">{svg(scene, alone=False)}'
        '<p id="map-status" aria-live="polite"></p>'
        f'<ul class="key">{costs}</ul><figcaption>{html_text(notes)}</figcaption>'
        f'<div class="chips" role="group" aria-label="Show one plan">{chips}</div>{choice}</figure>'
    )


def costs_overview(result: Result) -> str:
    """The distribution of costs, and a line for each schema."""
    schemas = by_schema(result.costs)
    shade = {name: min(n, _SHADES) for n, (name, _) in enumerate(schemas, start=1)}
    schema_rows = [
        f'<tr><th scope="row"><span class="swatch shade-{shade[name]}"></span>'
        f"{html_text(name)}</th>"
        f"{_numbers(len(costs), min(costs), max(costs), sum(costs))}</tr>"
        for name, costs in schemas
    ]
    numbers = ("actions", "least", "greatest", "sum")
    by_schema_table = _table("schemas", "By action schema", ("schema", *numbers), schema_rows)
    return f'<div class="overview">{_bars_table(bars(result.costs), shade)}{by_schema_table}</div>'


def shared_costs(result: Result) -> str:
    """The cost of each class of actions that share one, the most expensive first."""
    if not result.shared:
        return ""
    classes = sorted(result.shared.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        f'<tr><td class="action">{html_text(name)}</td>{_numbers(cost)}</tr>'
        for name, cost in classes[:_MOST_CLASSES]
    ]
    more = len(classes) - _MOST_CLASSES
    rest = f"<p>... and {more} more in the result file.</p>" if more > 0 else ""
    caption = "Shared costs (* stands for any argument)"
    return _table("classes", caption, ("class of actions", "cost"), rows) + rest


def linear_costs(result: Result) -> str:
    """The constant and the weights of linear costs, a line for each schema."""
    items = "".join(
        f'<li>Cost of <span class="action">{html_text(schema)}</span>: '
        f"{html_text(linear_in_words(weights))}</li>"
        for schema, weights in (result.linear or {}).items()
    )
    return f"<ul>{items}</ul>" if items else ""


def conflicts_section(conflicts: list[Members], result: Result) -> str:
    """The graph of conflicts, and a list of them in words."""
    if not conflicts:
        if result.optimal_plans == result.plans:
            return "<p>There are none: all plans are optimal together.</p>"
        waiting = sum(
            item.optimal is not True and item.explanation is None for item in result.observations
        )
        if waiting:
            plans = "1 plan is" if waiting == 1 else f"{waiting} plans are"
            return (
                f"<p>{plans} not explained yet. <code>plancost explain CASE RESULT.json</code> "
                "says which plans cannot all be optimal.</p>"
            )
        return "<p>No plan is known to be in conflict with others.</p>"
    drawing, shown = draw_conflicts(conflicts, result)
    note = (
        "Each number is a plan; joined plans cannot all be optimal, whatever the costs. Where "
        "more than two plans clash together, they meet in a dot. Filled plans are optimal now."
    )
    if shown < len(conflicts):
        note += f" {shown} of {len(conflicts)} conflicts are drawn."
    items = "".join(
        "<li>"
        + ", ".join(
            f'<a href="#plan-{number}" data-plan="{number}">{number}&nbsp;'
            f"{html_text(result.observations[number - 1].plan)}</a>"
            for number in members
        )
        + "</li>"
        for members in conflicts[:_MOST_LISTED]
    )
    more = len(conflicts) - _MOST_LISTED
    rest = f"<p>... and {more} more; each plan below names its own.</p>" if more > 0 else ""
    return (
        f'<figure><div class="scrolls">{drawing}</div><figcaption>{html_text(note)}'
        "</figcaption></figure>"
        f"<details><summary>In words</summary><ul>{items}</ul>{rest}</details>"
    )


def _bars_table(found: list[Bar], shade: dict[str, int]) -> str:
    most = max((bar.total for bar in found), default=1)
    rows = []
    for bar in found:
        x, parts = 0.0, ""
        for schema, count in sorted(bar.counts.items(), key=lambda item: shade[item[0]]):
            width = max(0.4, 100 * count / most)
            parts += (
                f'<rect class="shade-{shade[schema]}" x="{x:.2f}" width="{width:.2f}" height="10">'
                f"<title>{html_text(schema)}: {count}</title></rect>"
            )
            x += width
        rows.append(
            f'<tr><th scope="row">{span(bar.first, bar.last)}</th>{_numbers(bar.total)}'
            '<td class="bar"><svg viewBox="0 0 101 10" preserveAspectRatio="none" '
            f'aria-hidden="true">{parts}</svg></td></tr>'
        )
    more = '<td aria-hidden="true"></td>'
    return _table("bars", "How many actions have which cost", ("cost", "actions"), rows, more)


def _table(
    kind: str, caption: str, columns: tuple[str, ...], rows: list[str], more: str = ""
) -> str:
    """A table whose columns but the first are numbers; `more` is for the end of the first row."""
    heads = "".join(f'<th scope="col" class="number">{word}</th>' for word in columns[1:])
    return (
        f'<table class="{kind}"><caption>{caption}</caption><thead><tr>'
        f'<th scope="col">{columns[0]}</th>{heads}{more}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _numbers(*values: int) -> str:
    return "".join(f'<td class="number">{value}</td>' for value in values)
