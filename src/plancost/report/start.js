// Shows the page, or one of its groups. A link to #group-2-plan-3 opens the third plan of the
// second group.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const hash = () => /^#(?:group-(\d+))?-?(?:plan-(\d+))?$/.exec(window.location.hash) || [];
  if (!data.groups) {
    const openPlan = begin(data);
    if (hash()[2]) openPlan(Number(hash()[2]));
    return;
  }
  const first = document.getElementById("main").cloneNode(true);
  const others = [...document.querySelectorAll("template.group")];
  const buttons = [...document.querySelectorAll("button[data-group]")];

  function show(number) {
    const main = number === 0 ? first.cloneNode(true) : first.cloneNode(false);
    if (number > 0) main.append(others[number - 1].content.cloneNode(true));
    document.getElementById("main").replaceWith(main);
    buttons.forEach((button, n) => button.setAttribute("aria-pressed", String(n === number)));
    return begin(data.groups[number]);
  }

  buttons.forEach((button, number) => button.addEventListener("click", () => {
    window.history.replaceState(null, "", `#group-${number + 1}`);
    show(number);
  }));
  const [, group, plan] = hash();
  const openPlan = show(Math.min(buttons.length, Math.max(1, Number(group || 1))) - 1);
  if (plan) openPlan(Number(plan));
})();
