/** The properties of a `Response` besides its body. */
type Head = Pick<
  Response,
  "headers" | "ok" | "redirected" | "status" | "statusText" | "type" | "url"
>;
// the same class; TypeScript declares its methods as properties, which a method cannot override
const ResponseHead = Response as unknown as new (body: null, init: ResponseInit) => Head;

/**
 * A response that keeps its content. The listener and services of this process read the content
 * directly. For anyone else it builds the body of a web-standard `Response` on demand, which costs
 * several times as much.
 */
export abstract class LazyResponse extends ResponseHead implements Response {
  #whole: Response | undefined;

  constructor(init: ResponseInit) {
    super(null, init);
  }

  protected abstract content():
    | string
    | Uint8Array<ArrayBuffer>
    | ReadableStream<Uint8Array<ArrayBuffer>>;

  get #made(): Response {
    return (this.#whole ??= new Response(this.content(), this));
  }

  get body() {
    return this.#made.body;
  }

  get bodyUsed() {
    return this.#whole?.bodyUsed ?? false;
  }

  text() {
    return this.#made.text();
  }

  json() {
    return this.#made.json();
  }

  bytes() {
    return this.#made.bytes();
  }

  arrayBuffer() {
    return this.#made.arrayBuffer();
  }

  blob() {
    return this.#made.blob();
  }

  formData() {
    return this.#made.formData();
  }

  clone() {
    return this.#made.clone();
  }
}

/** A response with a string as its body. */
export class TextResponse extends LazyResponse {
  readonly whole: string;
  /** Whether the listener may compress it. */
  isCompressible = true;

  constructor(whole: string, init: ResponseInit) {
    super(init);
    this.whole = whole;
  }

  override async text() {
    return this.whole;
  }

  override async json() {
    return JSON.parse(this.whole);
  }

  protected override content() {
    return this.whole;
  }
}

/** A response with bytes that many responses share, so that slow readers hold no copies. */
export class BytesResponse extends LazyResponse {
  readonly shared: Uint8Array<ArrayBuffer>;

  constructor(shared: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(init);
    this.headers.set("content-length", String(shared.byteLength));
    this.shared = shared;
  }

  protected override content() {
    return this.shared;
  }
}
