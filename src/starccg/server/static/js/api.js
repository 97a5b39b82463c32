/** Requests to the server. Every failure is a ServerError with a message for people. */

export class ServerError extends Error {
  /**
   * @param {string} code of docs/server.md, or "unreachable"
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {string} path relative to the page, so that the server may live under any prefix
 * @param {object | null} body null: GET
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function send(path, body, signal) {
  /** @type {RequestInit} */
  const request =
    body === null
      ? { signal }
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ServerError("unreachable", "The server does not answer. Check that starccg serve is still running.");
  }
  if (response.ok) return response;
  const sent = await response.json().catch(() => null);
  throw new ServerError(
    sent?.error?.code ?? `http_${response.status}`,
    sent?.error?.message ?? `The server answered with status ${response.status} and gave no reason.`,
  );
}

/**
 * @param {string} path
 * @param {object | null} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, body = null, signal) {
  return (await send(`api/${path}`, body, signal)).json();
}

/**
 * One parse as a file.
 * @param {{words: string[], decoder: string | null, rank: number, format: string}} wanted
 * @returns {Promise<{name: string, blob: Blob}>}
 */
export async function exported(wanted) {
  const response = await send("api/export", wanted);
  const name = /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return { name: name ?? `parse.${wanted.format}`, blob: await response.blob() };
}

/** Answers of the server, kept while the page is open, so that going back and forth sends no request twice. */
export class Answers {
  /** @type {Map<string, {answer: Promise<any>, signal: AbortSignal}>} */
  #kept = new Map();

  /**
   * @param {string} path
   * @param {object} body
   * @param {AbortSignal} signal cancels the request, and with it the work of the server
   * @returns {Promise<any>}
   */
  get(path, body, signal) {
    const key = `${path} ${JSON.stringify(body)}`;
    let kept = this.#kept.get(key);
    if (!kept || kept.signal.aborted) {
      // An answer that has arrived stays good whatever becomes of its signal, so that is replaced then.
      const entry = { answer: ask(path, body, signal), signal };
      kept = entry;
      this.#kept.set(key, entry);
      entry.answer.then(
        () => (entry.signal = new AbortController().signal),
        () => this.#kept.get(key) === entry && this.#kept.delete(key),
      );
      if (this.#kept.size > 40) this.#kept.delete(/** @type {string} */ (this.#kept.keys().next().value));
    }
    return kept.answer;
  }
}
