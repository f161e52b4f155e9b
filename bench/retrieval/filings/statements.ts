import { type Company, type Figures, figuresOf } from "./companies.ts";
import { dollars, type Filing, heading, type Page, table } from "./layout.ts";
import { padding } from "./prose.ts";

/** What the three manners of wording call the same. */
const WORDINGS = {
  revenue: ["Net sales", "Revenues", "Net revenue"],
  cost: ["Cost of sales", "Cost of revenues", "Cost of goods sold"],
  selling: [
    "Selling, general and administrative expenses",
    "Selling, general and administrative",
    "Marketing, general and administrative",
  ],
  operating: ["Operating income", "Operating profit", "Income from operations"],
  pretax: [
    "Income before income taxes",
    "Earnings before provision for income taxes",
    "Income before taxes",
  ],
  tax: ["Provision for income taxes", "Income taxes", "Income tax expense"],
  net: ["Net income", "Net earnings", "Net income"],
  receivables: [
    "Accounts receivable – net",
    "Trade and other receivables, net",
    "Receivables, net of allowances",
  ],
  property: [
    "Property, plant and equipment – net",
    "Property and equipment, net of accumulated depreciation",
    "Property, plant and equipment, net",
  ],
  capital: [
    "Purchases of property, plant and equipment (PP&E)",
    "Capital expenditures",
    "Additions to property and equipment",
  ],
  income: [
    "CONSOLIDATED STATEMENTS OF INCOME",
    "Consolidated Statements of Operations",
    "CONSOLIDATED STATEMENTS OF EARNINGS",
  ],
  balance: [
    "CONSOLIDATED BALANCE SHEETS",
    "Consolidated Balance Sheets",
    "CONSOLIDATED STATEMENTS OF FINANCIAL POSITION",
  ],
  cash: [
    "CONSOLIDATED STATEMENTS OF CASH FLOWS",
    "Consolidated Statements of Cash Flows",
    "CONSOLIDATED CASH FLOW STATEMENTS",
  ],
} as const;

export function wordOf({ wording }: Company, key: keyof typeof WORDINGS): string {
  return WORDINGS[key][wording] ?? WORDINGS[key][0];
}

type Row = readonly [string, (figures: Figures) => number | string];

/** The report of the auditor and the five statements. */
export function statementPages(filing: Filing): Page[] {
  const { company, year, quarter } = filing;
  const word = (key: keyof typeof WORDINGS) => wordOf(company, key);
  const name = company.namesStatements ? `${company.name} and Subsidiaries\n\n` : "";
  const unit = quarter ? "(Unaudited. Dollars in millions)" : "(Dollars in millions)";
  const flowYears = quarter ? [year, year - 1] : [year, year - 1, year - 2];
  const flow = (title: string, rows: readonly Row[]) =>
    `${name}${heading(1, title)}\n\n${quarter ? "Six months ended June 30" : `Years ended ${company.yearEnd}`}\n\n${unit}\n\n${tableOf(company, flowYears, rows)}\n\nThe accompanying notes are an integral part of these statements.`;
  const income: Row[] = [
    [word("revenue"), (of) => of.revenue],
    ["Operating expenses", () => ""],
    [word("cost"), (of) => of.cost],
    [word("selling"), (of) => of.selling],
    ["Research, development and related expenses", (of) => of.research],
    ["Restructuring charges", (of) => of.restructuring],
    [word("operating"), (of) => of.operating],
    ["Interest expense, net", (of) => of.interest],
    [word("pretax"), (of) => of.pretax],
    [word("tax"), (of) => of.tax],
    [word("net"), (of) => of.net],
    ["Weighted average shares outstanding – diluted (millions)", (of) => of.shares],
    ["Diluted earnings per share", (of) => `$${of.perShare}`],
  ];
  const balance: Row[] = [
    ["Assets", () => ""],
    ["Cash and cash equivalents", (of) => of.cash],
    [word("receivables"), (of) => of.receivables],
    ["Total inventories", (of) => of.inventories],
    ["Prepaids and other current assets", (of) => of.otherCurrent],
    ["Total current assets", (of) => of.currentAssets],
    [word("property"), (of) => of.property],
    ["Goodwill", (of) => of.goodwill],
    ["Intangible assets – net", (of) => of.intangibles],
    ["Other assets", (of) => of.otherAssets],
    ["Total assets", (of) => of.assets],
    ["Liabilities and equity", () => ""],
    ["Short-term borrowings and current portion of long-term debt", (of) => of.shortDebt],
    ["Accounts payable", (of) => of.payables],
    ["Accrued expenses and other current liabilities", (of) => of.accrued],
    ["Total current liabilities", (of) => of.currentLiabilities],
    ["Long-term debt", (of) => of.longDebt],
    ["Pension and postretirement benefits", (of) => of.pension],
    ["Total liabilities", (of) => of.liabilities],
    ["Total equity", (of) => of.equity],
    ["Total liabilities and equity", (of) => of.assets],
  ];
  const cash: Row[] = [
    ["Cash Flows from Operating Activities", () => ""],
    [word("net"), (of) => of.net],
    ["Depreciation and amortization", (of) => of.depreciation],
    ["Stock-based compensation expense", (of) => of.compensation],
    [
      "Changes in receivables, inventories and payables",
      (of) => of.fromOperations - of.net - of.depreciation - of.compensation,
    ],
    ["Net cash provided by operating activities", (of) => of.fromOperations],
    ["Cash Flows from Investing Activities", () => ""],
    [word("capital"), (of) => -of.capital],
    ["Acquisitions, net of cash acquired", (of) => -of.acquisitions],
    ["Net cash used in investing activities", (of) => -of.capital - of.acquisitions],
    ["Cash Flows from Financing Activities", () => ""],
    ["Dividends paid to shareholders", (of) => -of.dividends],
    ["Purchases of treasury stock", (of) => -of.repurchases],
    ["Proceeds from debt", (of) => of.shortDebt],
    [
      "Net cash used in financing activities",
      (of) => of.shortDebt - of.dividends - of.repurchases,
    ],
    ["Effect of exchange rate changes on cash", (of) => -(of.net % 17)],
    ["Cash and cash equivalents at end of period", (of) => of.cash],
  ];
  const equity: Row[] = [
    ["Balance at beginning of year", (of) => of.equity - of.net],
    ["Net income", (of) => of.net],
    ["Other comprehensive income", (of) => (of.net % 41) - 20],
    ["Dividends declared", (of) => -of.dividends],
    ["Reacquired stock", (of) => -of.repurchases],
    ["Balance at end of year", (of) => of.equity],
  ];
  const comprehensive: Row[] = [
    [word("net"), (of) => of.net],
    ["Cumulative translation adjustment", (of) => -(of.net % 53)],
    ["Defined benefit pension adjustment", (of) => of.net % 29],
    ["Cash flow hedging instruments", (of) => (of.net % 13) - 6],
    ["Comprehensive income", (of) => of.net - (of.net % 11)],
  ];
  const auditor = `${heading(1, "Report of Independent Registered Public Accounting Firm")}\n\nTo the stockholders and board of directors of ${company.name}: We have audited the consolidated balance sheets, the related consolidated statements of income, comprehensive income, changes in equity and cash flows, and the notes. In our opinion the consolidated financial statements present fairly, in all material respects, the financial position at the end of ${year} and ${year - 1} and the results of operations and cash flows in conformity with accounting principles generally accepted in the United States.\n\n**Critical audit matter: goodwill.** We tested the forecasts of revenue and operating margin on which the fair value of reporting units depends.\n\nHarrow Pike LLP has served as the auditor since ${1990 + (company.revenue % 20)}. ${padding(company, "auditor", 4)}`;
  return [
    ...(quarter ? [] : [{ kind: "auditor", text: auditor }]),
    { kind: "income", text: flow(word("income"), income) },
    {
      kind: "comprehensive",
      text: flow("CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME", comprehensive),
    },
    {
      kind: "balance",
      text: `${name}${heading(1, word("balance"))}\n\nAt ${quarter ? "June 30" : company.yearEnd}\n\n${unit}\n\n${tableOf(company, [year, year - 1], balance)}\n\nThe accompanying notes are an integral part of these statements.`,
    },
    { kind: "cash", text: flow(word("cash"), cash) },
    { kind: "equity", text: flow("CONSOLIDATED STATEMENTS OF CHANGES IN EQUITY", equity) },
  ];
}

function tableOf(company: Company, years: readonly number[], rows: readonly Row[]): string {
  const figures = years.map((year) => figuresOf(company, year));
  return table(
    ["", ...years.map(String)],
    rows.map(([label, read]) => [
      label,
      ...figures.map((of) => {
        const value = read(of);
        return typeof value === "number" ? dollars(value) : value;
      }),
    ]),
  );
}
