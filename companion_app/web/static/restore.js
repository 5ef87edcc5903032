// Restoring: a tick is sent without leaving the page, and what changes is drawn anew.
import { orders, why } from "./orders.js";
import { renewParts } from "./parts.js";
import { say } from "./say.js";

const page = document.getElementById("restore");
const queue = orders({ post, failed });

page.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return event.target.setAttribute("aria-busy", "true");
  event.preventDefault();
  const { name, value } = event.submitter;
  queue.add({ lane: "ticks", action: form.action, body: new URLSearchParams([[name, value]]) });
});

async function post({ action, body }) {
  const response = await fetch(action, { method: "POST", headers: { Accept: "application/json" }, body });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.sentence);
  renewParts(page, answer.parts);
  say(answer.said);
  return answer;
}

function failed(error, ...[, ...others]) {
  say(`${why(error)}${others.length ? " What was pressed after it was not done either." : ""}`, true);
}
