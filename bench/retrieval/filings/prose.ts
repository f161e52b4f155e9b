import { type Company, randomOf } from "./companies.ts";

/**
 * The prose that filings are full of. Most of it is the same in each year of a company, and much of
 * it is nearly the same in all companies. `{…}` stands for a word of the company.
 */

/** Headings and sentences of risks. */
export const RISKS: readonly (readonly [string, ...string[]])[] = [
  [
    "Demand for our {product} depends on economic conditions that we cannot control.",
    "Our net sales and gross margin depend on the spending of {customers}.",
    "A recession, inflation or higher interest rates may cause customers to delay or cancel orders for {product} and {product2}.",
    "In such a period our working capital may rise while our cash flow from operating activities falls, and we may not be able to reduce our capital expenditures as quickly as our revenue declines.",
  ],
  [
    "We depend on {materials}, whose prices and availability vary.",
    "We buy {materials} from a limited number of suppliers, and in some cases from a single source.",
    "Shortages have in the past increased our cost of sales and lengthened lead times.",
    "If we cannot pass higher costs on to our customers, our gross margin and operating margin would decline, and the carrying amount of our inventories might have to be written down.",
  ],
  [
    "A few customers account for a large part of our revenue.",
    "We sell to {customers}, and the loss of one of the largest of them would harm our results.",
    "Customers may consolidate, buy directly from our competitors, or ask for longer terms of payment, which would increase our accounts receivable and the time that is needed to collect them.",
  ],
  [
    "Acquisitions may not bring the benefits that we expect.",
    "We have acquired businesses and expect to do so again.",
    "The integration of an acquired business diverts the attention of management, and goodwill and other intangible assets that we recognize may become impaired.",
    "An impairment of goodwill would be charged to earnings and could be material to our balance sheet.",
  ],
  [
    "Our indebtedness could limit our flexibility.",
    "We have substantial long-term debt and a revolving credit facility that contains financial covenants.",
    "If our ratio of debt to earnings before interest, taxes, depreciation and amortization exceeded the limit of these covenants, lenders could refuse to lend, and cross defaults might follow.",
    "A downgrade of our credit rating would raise our interest expense and could restrict our access to commercial paper.",
  ],
  [
    "Failures or attacks of information systems could disrupt our operations.",
    "We rely on information systems of our own and of third parties to make, sell and account for {product}.",
    "We have been the target of phishing and ransomware in the past, and expect more such attempts.",
    "A breach of cybersecurity could lead to the loss of confidential data, to claims, to fines of regulators, and to costs of remediation that insurance does not cover.",
  ],
  [
    "Changes of tax laws could increase our effective tax rate.",
    "We are subject to income taxes in the United States and in many other countries.",
    "Our effective tax rate depends on the mix of earnings among countries with different statutory rates, on changes of valuation allowances, and on the outcome of audits.",
    "New legislation on minimum taxes may raise the amount of cash taxes that we pay.",
  ],
  [
    "Litigation and claims may be decided against us.",
    "We are party to lawsuits about product liability, patents, employment and environmental matters in the ordinary course.",
    "The outcome of legal proceedings cannot be predicted, and we may have to pay damages that exceed the liabilities that we have accrued.",
    "Even claims without merit cost time and money.",
  ],
  [
    "Foreign exchange rates affect our results.",
    "A part of our revenue and of our costs is in euros, pounds, yen and other currencies.",
    "A stronger dollar lowers the value of sales in other currencies, and hedges that we enter into may not offset this.",
    "We do not hedge the translation of the earnings of all subsidiaries.",
  ],
  [
    "Our pension obligations could require more cash.",
    "The funded status of our pension plans depends on discount rates, returns on plan assets and mortality.",
    "Lower discount rates increase the benefit obligation, and we may have to make contributions that reduce our liquidity.",
  ],
  [
    "We may not protect our intellectual property.",
    "We rely on patents, trademarks, trade secrets and agreements with employees.",
    "Others may copy {product} or develop better {product2}, and proceedings to enforce patents are expensive.",
    "Patents that expire open our markets to competitors with lower prices.",
  ],
  [
    "Environmental and climate rules may increase our costs.",
    "Our sites are subject to rules about emissions, water, waste and the remediation of contaminated land.",
    "Compliance may need capital expenditures that we do not plan today, and carbon prices would raise the costs of {materials}.",
    "Physical effects of climate change such as floods and storms may interrupt production.",
  ],
  [
    "We depend on qualified people.",
    "Competition for engineers, skilled workers and managers is intense in the regions where we operate.",
    "Some of our employees are represented by unions, and a strike could interrupt the supply of {product}.",
    "Higher wages and costs of health care would increase our selling, general and administrative expenses.",
  ],
  [
    "The amount of dividends and of share repurchases may vary.",
    "Our board of directors may reduce, suspend or end quarterly dividends and the repurchase program at any time.",
    "Any such decision depends on our earnings, cash flow, capital requirements, covenants of our credit agreements and other factors that the board considers relevant.",
  ],
  [
    "Restructuring may cost more, and save less, than we plan.",
    "We have announced programs to close sites, reduce positions and simplify the organization.",
    "Severance and other costs may exceed the liability that we have recorded, and savings may be delayed.",
    "Such programs may also harm morale and the quality of {product}.",
  ],
  [
    "Internal control may not prevent or detect all misstatements.",
    "Any system of internal control over financial reporting gives only reasonable assurance.",
    "If we identified a material weakness, investors could lose confidence in our financial statements, and the price of our common stock could fall.",
  ],
];

export const FORWARD = [
  "This report contains forward-looking statements within the meaning of the Private Securities Litigation Reform Act of 1995.",
  "Words such as expect, anticipate, intend, plan, believe, seek, estimate, will and similar words identify such statements.",
  "They include statements about revenue, gross margin, operating income, capital expenditures, cash flow, effective tax rates, dividends, share repurchases, acquisitions, restructuring and legal proceedings.",
  "They are based on assumptions that may prove wrong, and actual results may differ materially because of the risks that are described in Item 1A.",
  "Except as required by law, {short} does not undertake to update any forward-looking statement.",
];

export const POLICIES: readonly (readonly [string, ...string[]])[] = [
  [
    "Basis of consolidation",
    "The consolidated financial statements include the accounts of {name} and of the subsidiaries that it controls.",
    "Transactions and balances between them are eliminated.",
  ],
  [
    "Use of estimates",
    "The preparation of financial statements in conformity with accounting principles generally accepted in the United States requires estimates and assumptions that affect the reported amounts of assets, liabilities, revenue and expenses.",
    "Actual results could differ from these estimates.",
  ],
  [
    "Cash and cash equivalents",
    "All highly liquid investments with a maturity of three months or less when bought are cash equivalents.",
    "They are carried at cost, which approximates fair value.",
  ],
  [
    "Revenue recognition",
    "Revenue is recognized when control of {product} passes to the customer, in the amount that the Company expects to be entitled to.",
    "Rebates, returns and discounts are estimated and reduce revenue.",
    "Services are recognized over time as the customer receives their benefit.",
  ],
  [
    "Accounts receivable and allowance",
    "Accounts receivable are stated net of an allowance for expected credit losses, which is estimated from history, aging and forecasts of economic conditions.",
  ],
  [
    "Inventories",
    "Inventories are stated at the lower of cost and net realizable value.",
    "Cost is determined by the first-in, first-out method for most inventories.",
  ],
  [
    "Property, plant and equipment",
    "Property, plant and equipment are stated at cost less accumulated depreciation.",
    "Depreciation is computed by the straight-line method over the useful lives: buildings 20 to 40 years, machinery 3 to 15 years, software 3 to 7 years.",
    "Capital expenditures that extend the life of an asset are capitalized; maintenance is expensed.",
  ],
  [
    "Goodwill and intangible assets",
    "Goodwill is tested for impairment each year, and whenever an event indicates that the fair value of a reporting unit may be below its carrying amount.",
    "Intangible assets with finite lives are amortized over these lives.",
  ],
  [
    "Leases",
    "The Company determines at inception whether a contract contains a lease, and recognizes a right-of-use asset and a lease liability for leases of more than twelve months.",
  ],
  [
    "Income taxes",
    "Deferred tax assets and liabilities are recognized for temporary differences by the enacted rates.",
    "A valuation allowance is recorded where it is more likely than not that an asset will not be realized.",
  ],
  [
    "Research and development",
    "Costs of research and development are expensed when incurred.",
  ],
  [
    "Foreign currency",
    "Assets and liabilities of subsidiaries abroad are translated at the rates of the balance sheet date, and income and expenses at average rates.",
    "Differences are in accumulated other comprehensive income.",
  ],
  [
    "Earnings per share",
    "Basic earnings per share is net income divided by the weighted average number of shares; diluted earnings per share includes the effect of stock options and restricted stock units.",
  ],
  [
    "New accounting standards",
    "The Company adopted the standards on credit losses and on leases when they became effective, without a material effect on its consolidated financial statements.",
  ],
  [
    "Derivatives and hedging",
    "The Company uses forwards and swaps to reduce its exposure to exchange and interest rates and to the price of {materials}.",
    "Derivatives are recognized at fair value on the balance sheet.",
  ],
];

export const CLOSING = [
  "Management reviews these matters each quarter with the audit committee.",
  "Amounts may not add because of rounding.",
  "Reference is made to the notes to the consolidated financial statements.",
  "These items are not expected to have a material effect on liquidity.",
  "The Company believes that its position compares well with that of its peers.",
  "Prior periods have been reclassified where necessary to conform to the current presentation.",
  "For further information see the section on risk factors of this report.",
  "Comparisons with the year before are affected by the number of selling days.",
  "The Company does not provide a reconciliation of forward-looking measures.",
  "Certain of these agreements contain customary representations and covenants.",
  "The Company's capital expenditures support growth, productivity and the maintenance of its sites.",
  "Cash flow from operating activities remains the main source of liquidity.",
  "Working capital is managed by terms with customers and suppliers and by levels of inventory.",
  "Gross margin depends on the mix of products, on prices and on the costs of {materials}.",
  "Operating income of a period is not an indication of that of later periods.",
  "The demand of {customers} is difficult to forecast.",
  "Restructuring actions of earlier years are substantially complete.",
  "The Company expects to fund dividends and repurchases of shares from operations.",
  "Net income was affected by discrete tax items, by litigation and by the results of hedges.",
  "Management uses total assets and return on invested capital to measure performance.",
  "The revolving credit facility supports the issuance of commercial paper.",
  "Amounts of revenue by segment and geographic area are in the notes.",
  "Depreciation and amortization are included in cost of sales and in selling, general and administrative expenses.",
  "Accounts receivable are not concentrated with any single customer.",
  "Inventory levels reflect demand for {product} and {product2}.",
  "The audit committee has discussed these matters with the independent auditor.",
  "The fair value of long-term debt exceeds its carrying amount when rates fall.",
  "Acquisitions are financed by cash on hand, by debt, or by both.",
  "Currency effects on assets and liabilities are described under market risk.",
  "Equity compensation aligns the interests of employees with those of stockholders.",
  "The Company has no arrangements off its balance sheet that would be material.",
  "Goodwill arises when the price of an acquisition exceeds the fair value of its net assets.",
  "Year-over-year changes are described on a reported basis unless stated otherwise.",
  "The statement of financial position, the statement of income and the statement of cash flows should be read together.",
  "Effective tax rates vary by quarter, and the annual rate is estimated each quarter.",
  "The Company believes that {short} benefits from its scale, its brands and its people.",
  "Legal proceedings are reviewed each quarter with outside counsel.",
  "Investments in research and development bring new generations of {product}.",
  "Pension contributions are made as the law requires, and at the discretion of management.",
  "Quarterly results vary with the timing of orders, of holidays and of the fiscal calendar.",
];

/** So that pages are about as long as those of real filings. */
const SENTENCES_FOR_ONE = 3;

/** Puts the words of a company into a sentence. */
export function fill(company: Company, sentence: string): string {
  const [first = "", second = ""] = company.products;
  return sentence
    .replaceAll("{product}", first)
    .replaceAll("{product2}", second)
    .replaceAll("{customers}", company.customers)
    .replaceAll("{materials}", company.materials)
    .replaceAll("{name}", company.name)
    .replaceAll("{short}", company.asked[0] ?? "");
}

/** Sentences in the company's own order, which is the same each year. */
export function padding(company: Company, topic: string, sentences: number): string {
  const random = randomOf(`${company.ticker} ${topic}`);
  return CLOSING.map((sentence) => ({ sentence, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, sentences * SENTENCES_FOR_ONE)
    .map(({ sentence }) => fill(company, sentence))
    .join(" ");
}
