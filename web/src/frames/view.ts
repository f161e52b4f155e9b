import { ESCAPE, type ViewRequest } from "../markdown/frame-messages.ts";

/**
 * Becomes the page of a tool server, which shows a result. The frame has no origin, and the page a
 * policy of its own beside that of the frame: both must allow what it loads.
 */

const begin = ({ data, source }: MessageEvent<ViewRequest>) => {
  if (source !== parent || typeof data?.html !== "string") return;
  removeEventListener("message", begin);
  // not every browser knows the policy against it
  Object.assign(globalThis, {
    RTCPeerConnection: undefined,
    webkitRTCPeerConnection: undefined,
  });
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = data.policy;
  document.head.append(policy);
  // the document keeps its policies
  document.open();
  document.write(data.html);
  document.close();
  // keys that are pressed in a frame do not reach the page around it
  addEventListener("keydown", ({ key, defaultPrevented }) => {
    if (key !== "Escape" || defaultPrevented) return;
    parent.postMessage({ jsonrpc: "2.0", method: ESCAPE }, "*");
  });
};

addEventListener("message", begin);
