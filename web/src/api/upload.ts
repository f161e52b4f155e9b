import type { AnyRoute, RouteOk } from "../../../src/platform/http/route.ts";
import { Failure, readFailure } from "./failure.ts";
import { OWN_HEADERS } from "./request.ts";
import { sessionEnded } from "./session.ts";

export interface UploadOptions {
  fields?: Record<string, string>;
  signal?: AbortSignal;
  /** Part of the bytes that are sent, from 0 to 1. */
  onProgress?: (part: number) => void;
}

const MAX_CONCURRENT_UPLOADS = 3;
let running = 0;
const waiting: (() => void)[] = [];

/** Uploads a file as `multipart/form-data`; at most three at once, the others wait. */
export async function upload<R extends AnyRoute>(
  route: R,
  file: File,
  options: UploadOptions = {},
): Promise<RouteOk<R>> {
  await takePlace();
  try {
    return await uploadWithSession<R>(route, file, options);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function takePlace(): Promise<void> {
  while (running >= MAX_CONCURRENT_UPLOADS) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
}

async function uploadWithSession<R extends AnyRoute>(
  route: R,
  file: File,
  options: UploadOptions,
): Promise<RouteOk<R>> {
  options.signal?.throwIfAborted();
  for (;;) {
    const answer = await send(route.path, file, options);
    if (answer.ok) return (await answer.json()) as RouteOk<R>; // built from the route's schema
    const failure = await readFailure(answer);
    // each round waits for the person, who may decline
    if (answer.status !== 401 || !(await sessionEnded(failure, options.signal)))
      throw failure;
  }
}

/** `XMLHttpRequest`, because `fetch` tells nothing of the progress of an upload. */
function send(path: string, file: File, options: UploadOptions): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(options.fields ?? {}))
    form.append(name, value);
  form.append("file", file, file.name);
  const xhr = new XMLHttpRequest();
  xhr.open("POST", path);
  for (const [name, value] of Object.entries(OWN_HEADERS))
    xhr.setRequestHeader(name, value);
  xhr.upload.onprogress = ({ loaded, total }) =>
    options.onProgress?.(total > 0 ? loaded / total : 0);
  const abort = () => xhr.abort();
  options.signal?.addEventListener("abort", abort, { once: true });
  return new Promise<Response>((resolve, reject) => {
    xhr.onload = () => resolve(toResponse(xhr));
    xhr.onerror = () => reject(new Failure("offline", "The server cannot be reached."));
    xhr.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    xhr.send(form);
  }).finally(() => options.signal?.removeEventListener("abort", abort));
}

function toResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ["x-request-id", "retry-after"]) {
    const value = xhr.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(xhr.responseText, { status: xhr.status, headers });
}
