import { figuresOf, randomOf } from "./companies.ts";
import { notePages } from "./notes.ts";
import { fill, FORWARD, padding, RISKS } from "./prose.ts";
import { statementPages } from "./statements.ts";
import { dollars, type Filing, heading, headingsOf, type Page, table } from "./layout.ts";

const RISKS_OF_A_PAGE = 3;

/** The text of a filing as the parser gives it: Markdown, its pages separated by form feeds. */
export function textOf(pages: readonly Page[]): string {
  return pages.map(({ text }) => text).join("\f");
}

/** The annual report of a year, or the quarterly report of the second quarter. */
export function filingPages(filing: Filing): Page[] {
  const { quarter } = filing;
  return [
    ...frontPages(filing),
    ...(quarter ? [] : businessPages(filing)),
    ...riskPages(filing),
    ...(quarter ? [] : propertyPages(filing)),
    ...discussionPages(filing),
    ...statementPages(filing),
    ...notePages(filing),
    ...closingPages(filing),
  ].map((page) => ({ ...page, text: headingsOf(filing, page) }));
}

function frontPages({ company, year, quarter }: Filing): Page[] {
  const { name, ticker, city, yearEnd } = company;
  const { shares } = figuresOf(company, year);
  const period = quarter
    ? `QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934\n\nFor the quarterly period ended June 30, ${year}`
    : `ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934\n\nFor the fiscal year ended ${yearEnd}, ${year}`;
  const cover = `UNITED STATES SECURITIES AND EXCHANGE COMMISSION\n\nWashington, D.C. 20549\n\n${heading(1, quarter ? "FORM 10-Q" : "FORM 10-K")}\n\n${period}\n\n${heading(1, name)}\n\n(Exact name of registrant as specified in its charter)\n\n${city}\n\n(Address of principal executive offices)\n\nSecurities registered pursuant to Section 12(b) of the Act:\n\n${table(
    ["Title of each class", "Trading Symbol", "Name of each exchange on which registered"],
    [
      ["Common Stock, par value $.01 per share", ticker, "New York Stock Exchange"],
      ["1.500% Notes due 2026", `${ticker}26`, "New York Stock Exchange"],
      ["1.750% Notes due 2030", `${ticker}30`, "New York Stock Exchange"],
    ],
  )}\n\nIndicate by check mark whether the registrant is a well-known seasoned issuer. Yes [x] No [ ]\n\nIndicate by check mark whether the registrant has filed all reports required to be filed during the preceding 12 months. Yes [x] No [ ]\n\nIndicate by check mark whether the registrant is a shell company. Yes [ ] No [x]\n\nShares of common stock outstanding at the latest practicable date: ${shares} million. Documents incorporated by reference: portions of the proxy statement for the annual meeting of stockholders.`;
  const contents = `${heading(2, "TABLE OF CONTENTS")}\n\n${table(
    ["Item", "", "Page"],
    [
      ["Item 1", "Business", "4"],
      ["Item 1A", "Risk Factors", "7"],
      ["Item 2", "Properties", "14"],
      ["Item 3", "Legal Proceedings", "14"],
      [
        "Item 5",
        "Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities",
        "15",
      ],
      [
        "Item 7",
        "Management's Discussion and Analysis of Financial Condition and Results of Operations",
        "17",
      ],
      ["Item 7A", "Quantitative and Qualitative Disclosures about Market Risk", "22"],
      [
        "Item 8",
        "Financial Statements: Statements of Income, Balance Sheets, Statements of Cash Flows, Notes",
        "23",
      ],
      ["Item 9A", "Controls and Procedures", "40"],
      ["Item 15", "Exhibits and Financial Statement Schedules", "41"],
    ],
  )}`;
  const forward = `${heading(2, "Cautionary Note Regarding Forward-Looking Statements")}\n\n${fill(company, FORWARD.join(" "))}\n\n${padding(company, "forward", 6)}`;
  return [
    { kind: "cover", text: cover },
    { kind: "contents", text: contents },
    { kind: "forward", text: forward },
  ];
}

function businessPages(filing: Filing): Page[] {
  const { company, year } = filing;
  const { products, segments, customers, materials } = company;
  const figures = figuresOf(company, year);
  const [first = "", second = "", third = ""] = segments;
  const say = (sentence: string) => fill(company, sentence);
  return [
    {
      kind: "business",
      text: `${heading(1, "Item 1. Business")}\n\n${heading(2, "Overview")}\n\n${say(`{name} designs, makes and sells ${products.join(", ")}. The Company was founded in ${company.city} and has customers in more than sixty countries. It manages its operations in three segments: ${segments.join(", ")}.`)}\n\n${heading(2, "Segments")}\n\n${first} is the largest of the segments. It serves ${customers}. ${second} sells related products and grows by new contracts. ${third} supports the installed base and brings recurring revenue. Each segment has a president who reports to the chief executive officer, and shares purchasing, logistics and research with the others.\n\n${heading(2, "Raw materials and suppliers")}\n\nThe most important purchases are ${materials}. The Company has long-term agreements for a part of its needs and believes that it has adequate sources of supply. Prices of ${materials} have been volatile.\n\n${padding(company, "business", 4)}`,
    },
    {
      kind: "customers",
      text: `${heading(2, "Customers and competition")}\n\nThe primary customers are ${customers}. The largest customer accounted for ${(8 + (figures.net % 90) / 10).toFixed(1)}% of net sales in ${year}, and the ten largest together for about a third. The Company competes with firms that are larger in some markets, on price, quality, delivery and service.\n\n${heading(2, "Seasonality and backlog")}\n\nSales are somewhat higher in the second half of the year. Backlog of firm orders was ${dollars(figures.backlog)} million at the end of ${year}, of which about 70% is expected to be filled within twelve months.\n\n${heading(2, "Intellectual property, research and development")}\n\nResearch and development expenses were ${dollars(figures.research)} million in ${year}. The Company owns about two thousand patents, and no single patent is material to it. ${padding(company, "customers", 4)}`,
    },
    {
      kind: "employees",
      text: `${heading(2, "Human capital")}\n\nAt the end of ${year} the Company employed approximately ${dollars(figures.employees)} people, of whom about 60% were in the United States and 15% were covered by collective bargaining agreements. Voluntary turnover was lower than in the year before. The Company invests in training, safety and health, and pays its people in line with the market.\n\n${heading(2, "Government regulation")}\n\nThe operations are subject to rules about products, emissions, labor and trade. Compliance has not had a material effect on capital expenditures, earnings or the competitive position of the Company.\n\n${heading(2, "Available information")}\n\nThe annual report on Form 10-K, quarterly reports on Form 10-Q and current reports on Form 8-K are on the website of the Company as soon as they are filed. ${padding(company, "employees", 5)}`,
    },
  ];
}

function riskPages({ company, year }: Filing): Page[] {
  const random = randomOf(`${company.ticker} risks`);
  const order = RISKS.map((risk) => ({ risk, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ risk }) => risk);
  const pages: Page[] = [];
  for (let at = 0; at < order.length; at += RISKS_OF_A_PAGE) {
    const text = order.slice(at, at + RISKS_OF_A_PAGE).map(([title, ...sentences], n) => {
      const more = padding(company, `risk ${at + n}`, 4);
      return `**${fill(company, title)}**\n\n${fill(company, sentences.join(" "))} ${more}`;
    });
    const top =
      at === 0
        ? `${heading(1, "Item 1A. Risk Factors")}\n\nIn addition to the other information in this report for ${year}, the following factors should be considered.\n\n`
        : "";
    pages.push({ kind: "risks", text: top + text.join("\n\n") });
  }
  return pages;
}

function propertyPages({ company, year }: Filing): Page[] {
  const figures = figuresOf(company, year);
  const before = figuresOf(company, year - 1);
  const { legal, dividendPerShare, repurchases } = figures;
  const quarterly = (Number(dividendPerShare) / 4).toFixed(3);
  const price = 20 + (figures.net % 60);
  return [
    {
      kind: "legal",
      text: `${heading(1, "Item 2. Properties")}\n\nThe principal executive offices are in ${company.city}.\n\n${table(
        ["Segment", "Owned sites", "Leased sites", "Square feet (in thousands)"],
        company.segments.map((segment, n) => [
          segment,
          `${12 - n * 3}`,
          `${5 + n * 4}`,
          dollars(2_400 - n * 500),
        ]),
      )}\n\nThe sites are in good condition and suitable for their purpose.\n\n${heading(1, "Item 3. Legal Proceedings")}\n\nThe Company is a party to legal proceedings. The most important is a claim by former users of ${company.products[0]} in the District Court of Delaware, for which ${dollars(legal)} million was accrued at the end of ${year}. Information about these matters is in the note on commitments and contingencies.\n\n${heading(1, "Item 4. Mine Safety Disclosures")}\n\nNot applicable. ${padding(company, "legal", 4)}`,
    },
    {
      kind: "market",
      text: `${heading(1, "Item 5. Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities")}\n\nThe common stock is listed on the New York Stock Exchange under the symbol ${company.ticker}. The Company has paid a dividend in each quarter since 1987 and has increased it each year. Dividends declared per share were $${dividendPerShare} in ${year} and $${before.dividendPerShare} in ${year - 1}, or about $${quarterly} a quarter.\n\n${heading(2, "Issuer purchases of equity securities")}\n\n${table(
        [
          "Period",
          "Shares purchased (in thousands)",
          "Average price paid per share",
          "Remaining under the program (millions)",
        ],
        ["October", "November", "December"].map((month, n) => [
          `${month} ${year}`,
          dollars(300 + ((repurchases * (n + 3)) % 700)),
          `$${price + n}.50`,
          `$${dollars(1_500 - repurchases - n * 40)}`,
        ]),
      )}\n\nThe board authorized the repurchase of up to $2,000 million of common stock. The Company bought shares for ${dollars(repurchases)} million in ${year}. ${padding(company, "market", 5)}`,
    },
    {
      kind: "selected",
      text: `${heading(1, "Item 6. Selected Financial Data")}\n\n(Dollars in millions, except per share)\n\n${table(
        ["", ...[0, 1, 2, 3, 4].map((back) => `${year - back}`)],
        (["revenue", "operating", "net", "assets", "longDebt", "capital"] as const).map(
          (key, n) => [
            [
              "Revenue",
              "Operating income",
              "Net income",
              "Total assets",
              "Long-term debt",
              "Capital spending",
            ][n] ?? "",
            ...[0, 1, 2, 3, 4].map((back) => dollars(figuresOf(company, year - back)[key])),
          ],
        ),
      )}\n\nThe data should be read together with the discussion and analysis of management and the consolidated financial statements. ${padding(company, "selected", 5)}`,
    },
  ];
}

function discussionPages(filing: Filing): Page[] {
  const { company, year, quarter } = filing;
  const [now, before] = [figuresOf(company, year), figuresOf(company, year - 1)];
  const period = quarter ? `the second quarter of ${year}` : `${year}`;
  const former = quarter ? `the second quarter of ${year - 1}` : `${year - 1}`;
  const growth = ((now.revenue / before.revenue - 1) * 100).toFixed(1);
  const margin = (part: number, of: number) => `${((part / of) * 100).toFixed(1)}%`;
  const moved = (one: number, other: number) => (one >= other ? "increased" : "decreased");
  const [first = "", second = "", third = ""] = company.segments;
  const segmentGrowth = company.segments.map((_, n) =>
    (((now.segments[n] ?? 0) / (before.segments[n] ?? 1) - 1) * 100).toFixed(1),
  );
  return [
    {
      kind: "overview",
      text: `${heading(1, "Management's Discussion and Analysis of Financial Condition and Results of Operations")}\n\n${heading(2, "Overview")}\n\nThis discussion should be read with the consolidated financial statements. ${fill(company, "{short} makes {product} and {product2} for {customers}.")} In ${period} the Company went on with its strategy of growth, productivity and disciplined use of capital. Prices, volumes, acquisitions and currencies affected sales. The Company follows organic sales growth, which excludes acquisitions, divestitures and currencies, operating margin, free cash flow and return on invested capital as its key measures.\n\n${heading(2, "Outlook")}\n\nManagement expects sales to grow by 2 to 4 percent next year, with an operating margin that is about the same, an effective tax rate of 20 to 23 percent and capital expenditures similar to those of this year. ${padding(company, `overview`, 6)}`,
    },
    {
      kind: "results",
      text: `${heading(2, "Results of Operations")}\n\n${table(
        ["(Millions)", period, former, "Change"],
        [
          ["Net sales", dollars(now.revenue), dollars(before.revenue), `${growth}%`],
          [
            "Gross margin",
            margin(now.gross, now.revenue),
            margin(before.gross, before.revenue),
            "",
          ],
          [
            "Operating margin",
            margin(now.operating, now.revenue),
            margin(before.operating, before.revenue),
            "",
          ],
          ["Effective tax rate", now.taxRate, before.taxRate, ""],
        ],
      )}\n\nNet sales ${moved(now.revenue, before.revenue)} because of prices, volume and currencies. Gross margin was ${margin(now.gross, now.revenue)} of net sales in ${period} compared with ${margin(before.gross, before.revenue)} in ${former}. The change was driven by the prices of ${company.materials}, by logistics and by productivity. Operating margin ${moved(now.operating / now.revenue, before.operating / before.revenue)} as selling, general and administrative expenses, restructuring and charges for litigation moved against the effect of prices.\n\nSelling, general and administrative expenses were ${dollars(now.selling)} million, and research and development expenses ${dollars(now.research)} million. Interest expense ${moved(now.interest, before.interest)} with the average debt. The effective tax rate was ${now.taxRate}, compared with ${before.taxRate}, because of the mix of earnings. ${padding(company, "results", 4)}`,
    },
    {
      kind: "segments",
      text: `${heading(2, "Performance by Segment")}\n\n${table(
        ["Net sales (millions)", period, former, "Total change", "Organic change"],
        company.segments.map((segment, n) => [
          segment,
          dollars(now.segments[n] ?? 0),
          dollars(before.segments[n] ?? 0),
          `${segmentGrowth[n]}%`,
          `${(Number(segmentGrowth[n]) - 1.1).toFixed(1)}%`,
        ]),
      )}\n\n${heading(3, first)}\n\nSales of ${first} changed by ${segmentGrowth[0]}% in ${period}. Higher prices and new programs were partly offset by lower volume. Segment operating income was ${dollars(now.segmentIncome[0] ?? 0)} million.\n\n${heading(3, second)}\n\nSales of ${second} changed by ${segmentGrowth[1]}%, with growth in Europe and a decline in Asia. Segment operating income was ${dollars(now.segmentIncome[1] ?? 0)} million.\n\n${heading(3, third)}\n\nSales of ${third} changed by ${segmentGrowth[2]}%, and organic growth was lower because of an acquisition. Segment operating income was ${dollars(now.segmentIncome[2] ?? 0)} million. ${padding(company, "segments", 5)}`,
    },
    {
      kind: "liquidity",
      text: `${heading(2, "Financial Condition and Liquidity")}\n\nThe Company has strong liquidity from operations and access to capital markets. Net cash from operating activities was ${dollars(now.fromOperations)} million. It was used for investments in property, for acquisitions, for dividends and for repurchases of stock.\n\n${heading(3, "Credit facilities")}\n\nThe Company has a five-year revolving credit agreement of ${dollars(now.facility)} million, which was ${now.facility >= before.facility ? "extended" : "renewed"} in May ${year}. No amount was drawn at the end of the period. The agreement asks for a ratio of earnings to interest expense of at least 3.0 to 1.\n\n${heading(3, "Working capital and cash")}\n\nWorking capital changed with receivables, inventories and payables. Cash and cash equivalents of ${dollars(now.cash)} million were held, of which about half outside of the United States. The Company believes that cash, cash flow and the facility cover its needs of the next twelve months.\n\n${heading(3, "Contractual obligations")}\n\n${table(
        ["(Millions)", "Total", "Less than one year", "1 to 5 years", "After 5 years"],
        [
          [
            "Long-term debt",
            dollars(now.longDebt),
            dollars(Math.round(now.longDebt * 0.08)),
            dollars(Math.round(now.longDebt * 0.4)),
            dollars(Math.round(now.longDebt * 0.52)),
          ],
          [
            "Operating leases",
            dollars(now.leases),
            dollars(Math.round(now.leases * 0.2)),
            dollars(Math.round(now.leases * 0.5)),
            dollars(Math.round(now.leases * 0.3)),
          ],
          [
            "Purchase obligations",
            dollars(now.payables),
            dollars(Math.round(now.payables * 0.7)),
            dollars(Math.round(now.payables * 0.3)),
            "—",
          ],
        ],
      )}\n\n${padding(company, "liquidity", 3)}`,
    },
    {
      kind: "estimates",
      text: `${heading(2, "Critical Accounting Estimates")}\n\nThe Company considers these estimates as critical because they need judgment: the fair value of reporting units in the test of goodwill, legal contingencies, pension and postretirement obligations, income taxes, and allowances for returns and credit losses.\n\n**Goodwill.** The fair value of a reporting unit is estimated by discounted cash flows. A fall of the estimates by ten percent would not have led to an impairment in ${year}.\n\n**Pensions.** A change of the discount rate by 25 basis points would change the expense by about ${Math.round(now.pension / 40)} million.\n\n**Income taxes.** Uncertain tax positions are recognized by the more-likely-than-not criterion. ${padding(company, "estimates", 7)}`,
    },
    {
      kind: "risk-market",
      text: `${heading(1, "Item 7A. Quantitative and Qualitative Disclosures about Market Risk")}\n\nThe Company is exposed to exchange rates, interest rates and the prices of ${company.materials}. A change of all exchange rates by ten percent would change pretax income by about ${Math.round(now.pretax * 0.04)} million, and a rise of interest rates by one percentage point would change interest expense by ${Math.max(1, Math.round(now.shortDebt * 0.01))} million. Derivatives are used to limit these risks and not for trading. A Monte Carlo simulation is used to estimate the value at risk. ${padding(company, "market risk", 7)}`,
    },
  ];
}

function closingPages({ company, year }: Filing): Page[] {
  return [
    {
      kind: "controls",
      text: `${heading(1, "Item 9A. Controls and Procedures")}\n\nThe chief executive officer and the chief financial officer have evaluated the disclosure controls and procedures and have concluded that they were effective at the end of ${year}. There was no change of internal control over financial reporting that has materially affected it. ${padding(company, "controls", 6)}\n\n${heading(1, "Item 9B. Other Information")}\n\nNone.`,
    },
    {
      kind: "exhibits",
      text: `${heading(1, "Exhibits and Financial Statement Schedules")}\n\n${table(
        ["Number", "Exhibit"],
        [
          ["3.1", "Certificate of Incorporation"],
          ["4.1", "Indenture for the notes"],
          ["10.1", "Five-year revolving credit agreement"],
          ["10.2", "Long-term incentive plan"],
          ["21", "Subsidiaries of the registrant"],
          ["23", "Consent of independent registered public accounting firm"],
          ["31", "Certifications"],
          [
            "101",
            "Statements of income, balance sheets and statements of cash flows in Inline XBRL",
          ],
        ],
      )}\n\n${heading(1, "SIGNATURES")}\n\nPursuant to the requirements of the Securities Exchange Act of 1934, the registrant has caused this report to be signed on its behalf by the undersigned.\n\n${company.name}`,
    },
  ];
}
