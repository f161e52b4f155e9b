import type { FrameAnswer, ResultRequest } from "../markdown/frame-messages.ts";

/**
 * Runs the page, the picture or the component that stands in a canvas. It is code that a model
 * wrote: the frame has no origin, reaches no network and opens nothing.
 */

const MAX_MESSAGE_CHARACTERS = 1_000;
/** Code may fail in each frame of an animation. */
const MAX_FAILURES = 5;

const begin = ({ data, ports: [port], source }: MessageEvent<ResultRequest>) => {
  if (source !== parent || !port) return;
  removeEventListener("message", begin);
  // not every browser knows the policy against it
  Object.assign(globalThis, {
    RTCPeerConnection: undefined,
    webkitRTCPeerConnection: undefined,
  });
  const reported = new Set<string>();
  const report = (text: string) => {
    const message = text.slice(0, MAX_MESSAGE_CHARACTERS);
    if (reported.has(message) || reported.size >= MAX_FAILURES) return;
    reported.add(message);
    port.postMessage({ type: "failed", message } satisfies FrameAnswer);
  };
  show(data, report).catch((error: unknown) => report(toText(error)));
};

addEventListener("message", begin);

type Report = (message: string) => void;

async function show({ kind, source, isDark }: ResultRequest, report: Report) {
  if (kind === "html") return showPage(source, report);
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  watch(report);
  if (kind === "svg") return showPicture(source);
  const { renderComponent } = await import("./react-component.ts");
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  renderComponent(root, source, (error) => report(toText(error)));
}

/** The document keeps its policy, and loses what listens to it. */
function showPage(source: string, report: Report): void {
  document.open();
  watch(report);
  document.write(source);
  document.close();
}

/** As a picture: scripts in it do not run. */
function showPicture(source: string): void {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
  const problem = parsed.querySelector("parsererror");
  if (problem) throw new Error(problem.textContent?.trim() || "This is no SVG.");
  const picture = document.createElement("img");
  picture.alt = parsed.querySelector("title")?.textContent ?? "";
  picture.style.cssText = "max-width:100%;height:auto;display:block;margin:0 auto";
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  document.body.replaceChildren(picture);
}

function watch(report: Report): void {
  addEventListener("error", ({ message, lineno, error }) => {
    const line = lineno > 0 ? ` (line ${lineno})` : "";
    if (message || error) report(`${message || toText(error)}${line}`);
  });
  addEventListener("unhandledrejection", ({ reason }) => report(toText(reason)));
  document.addEventListener(
    "securitypolicyviolation",
    ({ blockedURI, violatedDirective }) =>
      report(
        `There is no network here: ${blockedURI} was not loaded (${violatedDirective}).`,
      ),
  );
}

function toText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
