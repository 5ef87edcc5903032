// Arrow keys go from spot to spot on the photo and in the diagram; each of the two is one stop for Tab.
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function roam(page) {
  page.addEventListener("keydown", (event) => {
    const spot = event.target.closest("[data-spot]");
    const direction = DIRECTIONS[event.key];
    if (!spot || !direction || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    nearest(spot, direction)?.focus();
  });
  page.addEventListener("focusin", (event) => {
    const spot = event.target.closest("[data-spot]");
    if (!spot) return;
    for (const other of spot.closest("[data-spots]").querySelectorAll('[data-spot][tabindex="0"]')) other.tabIndex = -1;
    spot.setAttribute("tabindex", "0");
  });
}

// What lies ahead, distance to the side counting double; nothing further than 60° off.
function nearest(spot, [dx, dy]) {
  const from = middle(spot);
  let best = null;
  let least = Infinity;
  for (const other of spot.closest("[data-spots]").querySelectorAll("[data-spot]")) {
    const [x, y] = middle(other);
    const ahead = (x - from[0]) * dx + (y - from[1]) * dy;
    const aside = Math.abs((x - from[0]) * dy + (y - from[1]) * dx);
    if (other === spot || ahead < 1 || aside > 1.74 * ahead) continue;
    if (ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
  }
  return best;
}

function middle(spot) {
  const box = spot.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
