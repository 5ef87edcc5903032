// Sends corrections one after the other, each with the number of the newest event that the page has seen.
import { say } from "./say.js";

export function server(address, state, renew) {
  let queue = Promise.resolve();

  async function post(edit) {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ base: send.state.seq, ...edit }),
    });
    const answer = await response.json();
    if (answer.parts) {
      send.state = answer.state;
      renew(answer);
    }
    if (!response.ok) throw new Error(answer.sentence);
    return answer;
  }

  // Resolves to whether it was done.
  function send(edit) {
    const done = queue.then(() => post(edit)).then(
      () => true,
      (error) => {
        const offline = error instanceof TypeError || error instanceof SyntaxError;
        say(offline ? "The companion does not answer: is it still running?" : error.message, true);
        return false;
      },
    );
    queue = done;
    return done;
  }
  send.state = state;
  return send;
}
