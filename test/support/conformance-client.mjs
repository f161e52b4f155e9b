import { request } from "node:http";

// Asks the test at the first address to use the server at the second one, as the suite's client.
const [, , test, url] = process.argv;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const asked = request(test, { method: "POST" }, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
  answer.pipe(process.stderr);
});
asked.end(JSON.stringify({ url, context }));
