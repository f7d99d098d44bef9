"""Several cost functions on one page: what all of them achieve, and which is shown."""

from __future__ import annotations

from plancost.files.escape import html_text
from plancost.results.result import Result


def groups_opening(result: Result) -> str:
    """What was learned, in a sentence."""
    used = sum(bool(group.plans) for group in result.groups)
    groups = "1 group" if used == 1 else f"{used} groups"
    return (
        f"{result.optimal_plans} of {result.plans} observed plans are optimal under the costs of "
        f"their group: {groups}."
    )


def groups_overview(result: Result) -> str:
    """A row for each group; the button of a group shows it."""
    most = "proven most" if result.proved else f"at most {result.upper_bound} can be"
    rows = "".join(
        f'<tr><th scope="row"><button type="button" class="chip" data-group="{number}" '
        f'aria-pressed="{"true" if number == 0 else "false"}">{html_text(group.name)}</button></th>'
        f'<td class="number">{group.plans}</td><td class="number">{group.optimal_plans}</td>'
        f'<td class="number">{group.secondary.value}</td>'
        f"<td>{'proven least' if group.secondary.proved else ''}</td></tr>"
        for number, group in enumerate(item for item in result.groups if item.plans)
    )
    return (
        f"<p>{result.optimal_plans} optimal plans in all groups together: {most}. "
        "Below is the group that you choose here.</p>"
        '<table class="groups"><thead><tr><th scope="col">group</th>'
        '<th scope="col" class="number">plans</th><th scope="col" class="number">optimal</th>'
        '<th scope="col" class="number">second objective</th><td></td></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
