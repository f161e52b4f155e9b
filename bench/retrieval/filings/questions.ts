import { COMPANIES, randomOf, YEARS } from "./companies.ts";
import { halfOf } from "../question-sets.ts";
import { fileNameOf, type Filing, type Page } from "./layout.ts";

export interface FilingQuestion {
  text: string;
  half: "work" | "scored";
  /** The filing that answers, and its right pages, each of which holds a part of the answer. */
  fileName: string;
  pages: readonly number[];
}

/** `{c}` is the company, `{y}` the year as people write it, `{b}` the year before. */
type Template = readonly [text: string, ...kinds: string[]];

/** Phrased as the questions of FinanceBench (Islam et al. 2023) are, most of them by analysts. */
// prettier-ignore
const ANNUAL: readonly Template[] = [
  ["What is the {y} capital expenditure amount (in USD millions) for {c}? Give a response to the question by relying on the details shown in the cash flow statement.", "cash"],
  ["What was {c}'s {y} capital expenditure?", "cash"],
  ["Assume that you are a public equities analyst. Answer the following question by primarily using information that is shown in the balance sheet: what is the year end {y} net PPNE for {c}? Answer in USD billions.", "balance"],
  ["What is {c}'s year-over-year change in unadjusted operating income from {b} to {y} (in units of percents and round to one decimal place)? Give a solution to the question by using the income statement.", "income"],
  ["What is the {y} fixed asset turnover ratio for {c}? Fixed asset turnover ratio is defined as: {y} revenue / (average PP&E between {b} and {y}). Base your judgments on the information provided primarily in the statement of income and the statement of financial position.", "income", "balance"],
  ["You are an investment banker and your only resource(s) to answer the following question is (are): the statement of financial position and the cash flow statement. Here's the question: what is the {y} operating cash flow ratio for {c}? Operating cash flow ratio is defined as: cash from operations / total current liabilities.", "balance", "cash"],
  ["Based on the information provided primarily in the statement of financial position and the statement of income, what is {c}'s {y} return on assets (ROA)? ROA is defined as: {y} net income / (average total assets between {b} and {y}). Round your answer to two decimal places.", "income", "balance"],
  ["What is the {y} depreciation and amortization (D&A from cash flow statement) % margin for {c}? Calculate what was asked by utilizing the line items clearly shown in the statement of income and the cash flow statement.", "income", "cash"],
  ["Using only the information within the balance sheet, how much total current assets did {c} have at the end of {y}? Answer in USD millions.", "balance"],
  ["What is {c}'s {y} days payable outstanding (DPO)? DPO is defined as: 365 * (average accounts payable between {b} and {y}) / ({y} COGS + change in inventory between {b} and {y}).", "income", "balance"],
  ["What is the {y} net accounts receivable of {c}? State it in USD millions using the statement of financial position.", "balance"],
  ["What is the {y} COGS % margin for {c}? Calculate what was asked by utilizing the line items clearly shown in the income statement.", "income"],
  ["How much did {c} pay out in cash dividends for {y}? Address the question by adopting the perspective of a financial analyst who can only use the details shown within the statement of cash flows.", "cash"],
  ["Is {c} a capital-intensive business based on {y} data?", "cash", "balance", "income"],
  ["Does {c} have an improving operating margin profile as of {y}? If operating margin is not a useful metric for a company like this, then state that and explain why.", "income", "results"],
  ["What drove operating margin change as of {y} for {c}? If operating margin is not a useful metric for a company like this, then please state that and explain why.", "results"],
  ["What drove gross margin change as of {y} for {c}? If gross margin is not a useful metric for a company like this, then please state that and explain why.", "results"],
  ["Has {c}'s gross margin improved or declined between {b} and {y}?", "income", "results"],
  ["Does {c} have an improving free cashflow conversion as of {y}?", "cash", "income"],
  ["Roughly how many times has {c} sold its inventory in {y}? Calculate inventory turnover ratio for the {y}; if conventional inventory management is not meaningful for the company then state that and explain why.", "income", "balance"],
  ["Does {c} have positive working capital based on {y} data? If working capital is not a useful or relevant metric for this company, then please state that and explain why.", "balance"],
  ["Does {c} have a reasonably healthy liquidity profile based on its quick ratio for {y}? If the quick ratio is not relevant to measure liquidity, please state that and explain why.", "balance"],
  ["If we exclude the impact of M&A, which segment has dragged down {c}'s overall growth in {y}?", "segments"],
  ["Does {c} maintain a stable trend of dividend distribution as of {y}?", "market"],
  ["Which debt securities are registered to trade on a national securities exchange under {c}'s name as of {y}?", "cover"],
  ["Who are the primary customers of {c} as of {y}?", "customers"],
  ["What are the geographies that {c} primarily operates in as of {y}?", "revenue-note", "segment-note"],
  ["Are there any product categories that represent more than 20% of {c}'s revenue for {y}?", "revenue-note"],
  ["Has {c} reported any materially important ongoing legal battles from {y}?", "legal", "legal-note"],
  ["How did the effective tax rate of {c} change between {b} and {y}?", "tax-note", "results"],
  ["Which of {c}'s segments brought in the most operating income in {y}?", "segment-note", "segments"],
  ["Among operations, investing, and financing activities, which brought in the most (or lost the least) cash flow for {c} in {y}?", "cash"],
  ["What are major acquisitions that {c} has done in {y} and {b}?", "acquisitions"],
  ["What is the nature & purpose of {c}'s restructuring liability as of {y}?", "restructuring-note"],
  ["How many people did {c} employ at the end of {y}?", "employees"],
  ["How much can {c} borrow under its five year revolving credit agreement as of {y}?", "liquidity"],
  ["What discount rate did {c} use for its pension obligation in {y}?", "pension-note"],
  ["When do {c}'s long-term notes mature, and what was the weighted average rate of its commercial paper in {y}?", "debt-note"],
  ["What was {c}'s diluted EPS in {y}?", "income", "stock-note"],
  ["How many shares did {c} buy back in the fourth quarter of {y} and at what average price?", "market"],
  ["What share of {c}'s inventories were raw materials at the end of {y}?", "supplemental"],
  ["How large was {c}'s backlog at year end {y}, and how much of it will be filled within twelve months?", "customers"],
  ["By how much would {c}'s pretax income change if exchange rates moved by ten percent, as of {y}?", "risk-market"],
  ["How much R&D did {c} spend in {y} in USD millions?", "income", "customers", "results"],
  ["What was the goodwill of each of {c}'s segments in {y}?", "goodwill-note"],
  ["Who audits {c}, and what was the critical audit matter in {y}?", "auditor"],
];

// prettier-ignore
const QUARTERLY: readonly Template[] = [
  ["Does {c} have a reasonably healthy liquidity profile based on its quick ratio for Q2 of {y}? If the quick ratio is not relevant to measure liquidity, please state that and explain why.", "balance"],
  ["Which debt securities are registered to trade on a national securities exchange under {c}'s name as of Q2 of {y}?", "cover"],
  ["How did {c}'s revenue in the second quarter of {y} compare with the year before?", "results", "income"],
  ["Which of {c}'s segments grew fastest organically in Q2 {y}?", "segments"],
];
const QUARTERS_YEAR = 2021;
const SHARE_OF_TEMPLATES = 0.55;

/** All filings: of each company an annual one for each year, and a quarterly one. */
export function listFilings(): Filing[] {
  return COMPANIES.flatMap((company) => [
    ...YEARS.map((year) => ({ company, year, quarter: false })),
    { company, year: QUARTERS_YEAR, quarter: true },
  ]);
}

/** Questions about each company, each about one of the years. */
export function questionsOf(
  pagesOf: (filing: Filing) => readonly Page[],
): FilingQuestion[] {
  return COMPANIES.flatMap((company) => {
    const random = randomOf(`${company.ticker} questions`);
    const ask = ([text, ...kinds]: Template, year: number, quarter: boolean) => {
      const filing = { company, year, quarter };
      const pages = pagesOf(filing).flatMap(({ kind }, at) =>
        kinds.includes(kind) ? [at + 1] : [],
      );
      const [now, before] = writtenYears(year, random());
      const asked = company.asked[Math.floor(random() * company.asked.length)] ?? "";
      const written = text
        .replaceAll("{c}", asked)
        .replaceAll("{y}", now)
        .replaceAll("{b}", before);
      return {
        text: written,
        // of the template: the scored half asks in words that the work half does not have
        half: halfOf(text),
        fileName: fileNameOf(filing),
        pages,
      };
    };
    const annual = ANNUAL.filter(() => random() < SHARE_OF_TEMPLATES);
    return [
      ...annual.map((template) => {
        const year = YEARS[Math.floor(random() * YEARS.length)] ?? 0;
        return ask(template, year, false);
      }),
      ...QUARTERLY.map((template) => ask(template, QUARTERS_YEAR, true)),
    ];
  });
}

function writtenYears(year: number, choice: number): [string, string] {
  const write = (one: number) => {
    if (choice < 0.55) return `FY${one}`;
    if (choice < 0.65) return `FY ${one}`;
    if (choice < 0.75) return `FY${one % 100}`;
    if (choice < 0.85) return `fiscal year ${one}`;
    return `${one}`;
  };
  return [write(year), write(year - 1)];
}
