// Restoring: a tick is sent without leaving the page, and what changes is drawn anew.
import { renewParts } from "./parts.js";
import { say } from "./say.js";

const page = document.getElementById("restore");

page.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return event.target.setAttribute("aria-busy", "true");
  event.preventDefault();
  const { name, value } = event.submitter;
  try {
    const body = new URLSearchParams([[name, value]]);
    const response = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.sentence);
    renewParts(page, answer.parts);
    say(answer.said);
  } catch (error) {
    const offline = error instanceof TypeError || error instanceof SyntaxError;
    say(offline ? "The companion does not answer: is it still running?" : error.message, true);
  }
});
