import { type Company, figuresOf } from "./companies.ts";
import { dollars, type Filing, heading, type Page, table } from "./layout.ts";
import { fill, padding, POLICIES } from "./prose.ts";

const POLICIES_OF_A_PAGE = 5;
const REGIONS = ["Americas", "Europe, Middle East and Africa", "Asia Pacific"];

/** The notes to the statements, most of which have a page of their own. */
export function notePages(filing: Filing): Page[] {
  const { company, year } = filing;
  return [...policyPages(company), ...numberedNotes(filing, year)];
}

function policyPages(company: Company): Page[] {
  const pages: Page[] = [];
  for (let at = 0; at < POLICIES.length; at += POLICIES_OF_A_PAGE) {
    const text = POLICIES.slice(at, at + POLICIES_OF_A_PAGE).map(
      ([title, ...sentences], n) =>
        `**${title}:** ${fill(company, sentences.join(" "))} ${padding(company, `policy ${at + n}`, 2)}`,
    );
    const top =
      at === 0
        ? `${heading(1, "Notes to Consolidated Financial Statements")}\n\n${heading(2, "NOTE 1. Significant Accounting Policies")}\n\n`
        : "";
    pages.push({ kind: "policies", text: top + text.join("\n\n") });
  }
  return pages;
}

function numberedNotes({ company, quarter }: Filing, year: number): Page[] {
  const [now, before] = [figuresOf(company, year), figuresOf(company, year - 1)];
  const years = [`${year}`, `${year - 1}`];
  const pair = (label: string, read: (of: typeof now) => number | string) => [
    label,
    ...[now, before].map((of) => {
      const value = read(of);
      return typeof value === "number" ? dollars(value) : value;
    }),
  ];
  const share = (part: number) => (value: number) => Math.round(value * part);
  const notes: [kind: string, title: string, text: string][] = [
    [
      "revenue-note",
      "Revenue",
      `The Company views this disaggregation of revenue as meaningful.\n\n${table(
        ["Revenue by product category (millions)", ...years],
        company.products.map((product, n) => pair(product, (of) => of.segments[n] ?? 0)),
      )}\n\n${table(
        ["Revenue by geographic area (millions)", ...years],
        REGIONS.map((region, n) => pair(region, (of) => of.regions[n] ?? 0)),
      )}\n\nDeferred revenue was ${dollars(share(0.03)(now.revenue))} million.`,
    ],
    [
      "acquisitions",
      "Acquisitions and Divestitures",
      `In ${quarter ? "June" : "March"} ${year} the Company acquired ${["Lindqvist Tools", "Arbor Controls", "Pereira Systems", "Kestrel Labs", "Dunmore Works"][year % 5]} for ${dollars(now.acquisitions)} million in cash, net of cash acquired. The purchase price was allocated to goodwill, customer relationships and technology. Pro forma information is not presented because the effect is not material. A small business was sold in ${year - 1}.`,
    ],
    [
      "goodwill-note",
      "Goodwill and Intangible Assets",
      `${table(["Goodwill (millions)", ...company.segments, "Total"], [[`Balance at end of ${year}`, ...company.segments.map((_, n) => dollars(share([0.5, 0.3, 0.2][n] ?? 0)(now.goodwill))), dollars(now.goodwill)]])}\n\nNo impairment of goodwill was recognized in ${year}. Amortization expense of acquired intangible assets is expected to be about ${dollars(share(0.1)(now.intangibles))} million a year.`,
    ],
    [
      "restructuring-note",
      "Restructuring Actions",
      `${table(
        [
          "Restructuring liability (millions)",
          "Employee-related",
          "Asset-related",
          "Total",
        ],
        [
          [
            `Expense incurred in ${year}`,
            dollars(share(0.7)(now.restructuring)),
            dollars(share(0.3)(now.restructuring)),
            dollars(now.restructuring),
          ],
          [
            "Cash payments",
            dollars(-share(0.5)(now.restructuring)),
            "—",
            dollars(-share(0.5)(now.restructuring)),
          ],
          [
            `Accrued balance at end of ${year}`,
            dollars(share(0.2)(now.restructuring)),
            "—",
            dollars(share(0.2)(now.restructuring)),
          ],
        ],
      )}\n\nThe actions align the cost structure with demand, and affect about ${dollars(share(0.02)(now.employees))} positions. They are expected to be complete in ${year + 1}.`,
    ],
    [
      "supplemental",
      "Supplemental Balance Sheet Information",
      `${table(["(Millions)", ...years], [pair("Finished goods", (of) => share(0.5)(of.inventories)), pair("Work in process", (of) => share(0.2)(of.inventories)), pair("Raw materials and supplies", (of) => of.inventories - share(0.5)(of.inventories) - share(0.2)(of.inventories)), pair("Land and buildings", (of) => share(0.6)(of.property)), pair("Machinery and equipment", (of) => share(1.4)(of.property)), pair("Accumulated depreciation", (of) => -of.property)])}`,
    ],
    [
      "tax-note",
      "Income Taxes",
      `${table(["", ...years], [pair("Statutory U.S. tax rate", () => "21.0%"), pair("State income taxes – net of federal benefit", () => "1.2%"), pair("International income taxes – net", (of) => `(${(of.net % 20) / 10}%)`), pair("Effective worldwide tax rate", (of) => of.taxRate)])}\n\n${table(["Deferred taxes (millions)", ...years], [pair("Accruals not currently deductible", (of) => share(0.02)(of.revenue)), pair("Pension costs", (of) => share(0.2)(of.pension)), pair("Valuation allowance", (of) => -share(0.004)(of.revenue))])}\n\nUnrecognized tax benefits were ${dollars(share(0.05)(now.tax))} million. The Internal Revenue Service audits the returns of ${year - 3} to ${year - 1}.`,
    ],
    [
      "debt-note",
      "Long-Term Debt and Short-Term Borrowings",
      `${table(
        ["Description (millions)", "Rate", "Maturity", ...years],
        [
          [
            "1.500% Notes",
            "1.50%",
            "2026",
            dollars(share(0.3)(now.longDebt)),
            dollars(share(0.3)(before.longDebt)),
          ],
          [
            "1.750% Notes",
            "1.75%",
            "2030",
            dollars(share(0.3)(now.longDebt)),
            dollars(share(0.3)(before.longDebt)),
          ],
          [
            "4.000% Debentures",
            "4.00%",
            "2048",
            dollars(share(0.4)(now.longDebt)),
            dollars(share(0.4)(before.longDebt)),
          ],
        ],
      )}\n\nMaturities of long-term debt in the next five years are ${[0.05, 0.08, 0.1, 0.12, 0.06].map((part) => dollars(share(part)(now.longDebt))).join(", ")} million. The weighted average rate of commercial paper was ${((now.interest / now.longDebt) * 50).toFixed(2)}%. The Company was in compliance with its covenants.`,
    ],
    [
      "pension-note",
      "Pension and Postretirement Benefit Plans",
      `${table(["(Millions)", ...years], [pair("Benefit obligation at end of year", (of) => of.pension * 9), pair("Fair value of plan assets at end of year", (of) => of.pension * 8), pair("Funded status", (of) => -of.pension), pair("Discount rate", (of) => of.discountRate), pair("Expected return on plan assets", () => "6.25%")])}\n\nThe Company contributed ${dollars(share(0.12)(now.pension))} million to its plans. Plan assets are in equities, bonds, real estate and private funds.`,
    ],
    [
      "derivatives",
      "Derivatives and Fair Value",
      `${table(
        ["(Millions)", "Gross notional amount", "Asset", "Liability"],
        [
          [
            "Foreign currency forwards",
            dollars(share(0.2)(now.revenue)),
            dollars(now.net % 31),
            dollars(now.net % 23),
          ],
          [
            "Interest rate swaps",
            dollars(share(0.3)(now.longDebt)),
            dollars(now.net % 7),
            dollars(now.net % 19),
          ],
          ["Commodity contracts", dollars(share(0.01)(now.revenue)), "1", "2"],
        ],
      )}\n\nFair values are in Level 2 of the hierarchy.`,
    ],
    [
      "legal-note",
      "Commitments and Contingencies",
      `The Company accrues for legal proceedings when a loss is probable and can be estimated. At the end of ${year} it had accrued ${dollars(now.legal)} million for product liability and ${dollars(share(0.4)(now.legal))} million for environmental remediation. Plaintiffs in the District Court of Delaware allege that ${company.products[0]} were defective, and ask for damages. Warranties: ${dollars(share(0.3)(now.legal))} million. Purchase commitments are described in the discussion of liquidity.`,
    ],
    [
      "leases-note",
      "Leases",
      `${table(["(Millions)", ...years], [pair("Operating lease cost", (of) => share(0.22)(of.leases)), pair("Right-of-use assets", (of) => share(0.9)(of.leases)), pair("Operating lease liabilities", (of) => of.leases)])}\n\nMaturities of lease liabilities: ${[0.2, 0.18, 0.15, 0.12, 0.1].map((part, n) => `${year + 1 + n}: ${dollars(share(part)(now.leases))}`).join("; ")}. The weighted average remaining term is 6.4 years.`,
    ],
    [
      "stock-note",
      "Stock-Based Compensation and Earnings Per Share",
      `${table(["(Millions, except per share)", ...years], [pair("Stock-based compensation expense", (of) => of.compensation), pair("Net income", (of) => of.net), pair("Weighted average shares – diluted", (of) => of.shares), pair("Earnings per share – diluted", (of) => `$${of.perShare}`)])}\n\nOptions on ${dollars(share(0.03)(now.shares))} million shares were outstanding. Unrecognized compensation cost will be recognized over 2.1 years.`,
    ],
    [
      "segment-note",
      "Business Segments and Geographic Information",
      `The chief operating decision maker reviews the operating income of each segment.\n\n${table(
        [
          "Segment (millions)",
          "Net sales",
          "Operating income",
          "Assets",
          "Capital spending",
          "Depreciation",
        ],
        company.segments.map((segment, n) => [
          segment,
          dollars(now.segments[n] ?? 0),
          dollars(now.segmentIncome[n] ?? 0),
          dollars(share([0.5, 0.3, 0.2][n] ?? 0)(now.assets)),
          dollars(share([0.5, 0.3, 0.2][n] ?? 0)(now.capital)),
          dollars(share([0.5, 0.3, 0.2][n] ?? 0)(now.depreciation)),
        ]),
      )}\n\n${table(
        ["Long-lived assets (millions)", ...years],
        REGIONS.map((region, n) =>
          pair(region, (of) => share([0.6, 0.25, 0.15][n] ?? 0)(of.property)),
        ),
      )}`,
    ],
    [
      "subsequent",
      "Subsequent Events",
      `On ${quarter ? `July 28, ${year}` : `February 9, ${year + 1}`}, the board of directors declared a quarterly dividend of $${(Number(now.dividendPerShare) / 4 + 0.01).toFixed(3)} per share. No other event needs disclosure.`,
    ],
  ];
  return notes.map(([kind, title, text], n) => ({
    kind,
    text: `${heading(2, `NOTE ${n + 2}. ${title}`)}\n\n${text}\n\n${padding(company, kind, 6)}`,
  }));
}
