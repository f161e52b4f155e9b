// Portkey's gateway adds headers to what its fetch answers, which Node 24 does not allow; loaded before it
const answered = globalThis.fetch;
globalThis.fetch = async (...asked) => {
  const { body, status, headers } = await answered(...asked);
  return new Response(body, { status, headers });
};
