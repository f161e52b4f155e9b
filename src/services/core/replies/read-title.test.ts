import { expect, test } from "vitest";
import { readTitle } from "./read-title.ts";

const TITLE = "Weather in Paris";

test("a title is read from what models write around it", () => {
  for (const said of [
    TITLE,
    `**${TITLE}**`,
    `*${TITLE}*`,
    `# ${TITLE}`,
    `## **${TITLE}**`,
    `- ${TITLE}`,
    `1. ${TITLE}`,
    `> ${TITLE}`,
    `Title: ${TITLE}`,
    `**Title:** ${TITLE}`,
    `**Title: ${TITLE}**`,
    `# Title: "${TITLE}"`,
    `Titel: „${TITLE}“`,
    `标题：${TITLE}`,
    `"${TITLE}."`,
    `"${TITLE}".`,
    `'${TITLE}'`,
    `\`${TITLE}\``,
    `“${TITLE}”`,
    `„${TITLE}”`,
    `« ${TITLE} »`,
    `» ${TITLE} «`,
    `「${TITLE}」`,
    `《${TITLE}》`,
    `{"title": "${TITLE}"}`,
    `\`\`\`json\n{"title": "**${TITLE}**"}\n\`\`\``,
    `{"name": "${TITLE}", "emoji": 1}`,
    `["${TITLE}", "Other"]`,
    `\`\`\`\n${TITLE}\n\`\`\``,
    `\n\n${TITLE}\n`,
    `${TITLE}\n\nThis title sums up the question.`,
    `Here is a title:\n\n**${TITLE}**`,
    `Sure! Here's a short title:\n"${TITLE}"\n`,
    `<think>The user asks…\n"Wrong"</think>\n${TITLE}`,
    `<thinking>a</thinking>"${TITLE}"`,
    `<title>${TITLE}</title>`,
    `  ${TITLE.replaceAll(" ", "\t ")}  `,
    `---\n${TITLE}\n---`,
    `Sure! Here is a title: "${TITLE}"`,
    `Der Titel lautet: „${TITLE}“`,
    `A good title would be: **${TITLE}**`,
    `"title": "${TITLE}"`,
    `Title - ${TITLE}`,
    `### Title\n${TITLE}`,
    `[${TITLE}]`,
    `_${TITLE}_`,
    `\\boxed{${TITLE}}`,
    `\\boxed{\\text{${TITLE}}}`,
    `${TITLE}<|im_end|>`,
    `${TITLE}</s>`,
    `"${TITLE}"<end_of_turn>`,
    "`Weather` in `Paris`",
    "Weather in [Paris](https://paris.example/today)",
  ])
    expect([said, readTitle(said)]).toEqual([said, TITLE]);
});

test("what belongs to a title stays", () => {
  for (const title of [
    "🌦️ Weather in Paris…",
    "What comes next...",
    "Life in the U.S.",
    '"Faust" and "Egmont"',
    "'Twas the night",
    "C# or C++?",
    "2**8 in Python",
    "__init__ in Python",
    "Title IX: a summary",
    "Title",
    "How titles work: an overview",
    "[Draft] Weather [again]",
    "snake_case and _private",
    "a <s> tag in HTML",
    "Ratio 3:2",
    "[Draft] Letter to Ada",
    "{{name}} in templates",
    "#hashtag culture",
    "Dogs' ears",
    "Wann fährt der Zug?",
    "パリの天気",
    "x < 5 and y > 3",
    "Plan: first steps",
  ])
    expect(readTitle(title)).toBe(title);
});

test("an answer without a title is none", () => {
  for (const said of [
    "",
    " \n ",
    "``````",
    '""',
    "<think>on and on",
    "---",
    "**",
    "{}",
    "Title:",
  ])
    expect([said, /^(?:""|\*\*|\{\}|)$/.test(readTitle(said))]).toEqual([said, true]);
});

test("a long answer is read in no time", () => {
  for (const part of [
    "*",
    "**a",
    "#",
    "“",
    "\n",
    "{",
    "-",
    "Title:",
    "<b>",
    " .",
    "`a",
    "[a](",
  ])
    expect(typeof readTitle(part.repeat(20_000))).toBe("string");
});

test("numbers of sources are no part of a title", () => {
  expect(readTitle("Holidays of the staff [1][2]")).toBe("Holidays of the staff");
  expect(readTitle("Holidays of the staff [1] [2]")).toBe("Holidays of the staff");
  expect(readTitle("Holidays [1] and travel[12]")).toBe("Holidays and travel");
  expect(readTitle("What a[1] = 2 does")).toBe("What a[1] = 2 does");
});

test("a line of numbers alone is read in time that grows with its length", () => {
  const line = `${"[1]".repeat(600_000)}x`;
  expect(readTitle(`Holidays ${line}`)).toBe(`Holidays ${line}`);
});
