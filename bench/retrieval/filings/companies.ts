import { createHash } from "node:crypto";
import { randomFrom } from "../fill-store.ts";

/** A company that does not exist. */
export interface Company {
  name: string;
  /** How people call it in a question. */
  asked: readonly string[];
  /** How its files begin. */
  file: string;
  ticker: string;
  city: string;
  /** Millions of dollars in the first year. */
  revenue: number;
  /** The share of revenue that it spends on property. */
  intensity: number;
  yearEnd: string;
  products: readonly string[];
  segments: readonly string[];
  customers: string;
  materials: string;
  /** What its statements call things: one of three manners. */
  wording: number;
  /** Whether its name stands above its statements. */
  namesStatements: boolean;
}

export const YEARS = [2019, 2020, 2021];

// prettier-ignore
export const COMPANIES: readonly Company[] = [
  { name: "Halvorsen Marine Industries, Inc.", asked: ["Halvorsen", "Halvorsen Marine"], file: "HALVORSEN", ticker: "HLVM", city: "Duluth, Minnesota", revenue: 8_420, intensity: 0.07, yearEnd: "December 31", products: ["ferries", "marine engines", "winches"], segments: ["Propulsion", "Shipyards", "Marine Services"], customers: "port authorities, ferry operators and the coast guards of four countries", materials: "steel plate and cast bronze", wording: 0, namesStatements: true },
  { name: "Brightwell Foods Corporation", asked: ["Brightwell", "Brightwell Foods"], file: "BRIGHTWELLFOODS", ticker: "BWF", city: "Omaha, Nebraska", revenue: 14_900, intensity: 0.04, yearEnd: "June 30", products: ["breakfast cereals", "frozen meals", "sauces"], segments: ["Pantry", "Frozen", "Foodservice"], customers: "grocery chains, wholesale clubs and restaurant distributors", materials: "wheat, corn, vegetable oils and cartons", wording: 1, namesStatements: false },
  { name: "QRT Semiconductor Corporation", asked: ["QRT", "QRT Semiconductor"], file: "QRT", ticker: "QRTS", city: "Chandler, Arizona", revenue: 5_730, intensity: 0.16, yearEnd: "December 31", products: ["power controllers", "radio chips", "image sensors"], segments: ["Automotive", "Industrial", "Connectivity"], customers: "makers of vehicles, contract manufacturers and distributors of components", materials: "silicon wafers, substrates and rare gases", wording: 2, namesStatements: true },
  { name: "Meridian Harbor Hotels Group, Inc.", asked: ["Meridian Harbor", "Meridian Harbor Hotels"], file: "MERIDIANHARBOR", ticker: "MHHG", city: "Charleston, South Carolina", revenue: 3_310, intensity: 0.12, yearEnd: "December 31", products: ["city hotels", "resorts", "conference centers"], segments: ["Owned Hotels", "Managed Hotels", "Loyalty and Licensing"], customers: "business travelers, tour operators and organizers of conferences", materials: "linen, food and energy", wording: 1, namesStatements: true },
  { name: "Castellan Pharmaceuticals, Inc.", asked: ["Castellan", "Castellan Pharma"], file: "CASTELLAN", ticker: "CSTL", city: "New Haven, Connecticut", revenue: 11_260, intensity: 0.035, yearEnd: "December 31", products: ["insulin pens", "vaccines", "oncology medicines"], segments: ["Primary Care", "Oncology", "Vaccines"], customers: "three wholesalers of medicines, hospitals and public health agencies", materials: "active ingredients and glass vials", wording: 0, namesStatements: false },
  { name: "Varga Packaging plc", asked: ["Varga", "Varga Packaging"], file: "VARGA", ticker: "VRGP", city: "Evansville, Indiana", revenue: 7_540, intensity: 0.06, yearEnd: "June 30", products: ["flexible films", "folding cartons", "closures"], segments: ["Flexibles", "Rigid Packaging", "Closures"], customers: "makers of food, beverages and medical devices", materials: "resins, aluminum foil and paperboard", wording: 2, namesStatements: false },
];

/** What the statements of one company and year say, in millions of dollars. */
export type Figures = ReturnType<typeof figuresOf>;

export function figuresOf(company: Company, year: number) {
  const random = randomOf(`${company.ticker} ${year}`);
  const between = (low: number, high: number) => low + (high - low) * random();
  const revenue = Math.round(
    company.revenue * 1.045 ** (year - 2018) * between(0.95, 1.06),
  );
  const part = (low: number, high: number) => Math.round(revenue * between(low, high));
  const cost = part(0.52, 0.64);
  const selling = part(0.14, 0.19);
  const research = part(0.02, 0.06);
  const restructuring = part(0.004, 0.012);
  const operating = revenue - cost - selling - research - restructuring;
  const interest = part(0.008, 0.016);
  const pretax = operating - interest;
  const tax = Math.round(pretax * between(0.17, 0.25));
  const net = pretax - tax;
  const shares = Math.round(company.revenue / 21);
  const depreciation = part(0.04, 0.06);
  const capital = Math.round(revenue * company.intensity * between(0.9, 1.1));
  const dividends = Math.round(net * between(0.3, 0.4));
  const repurchases = part(0.02, 0.05);
  const acquisitions = part(0.005, 0.03);
  const cash = part(0.07, 0.13);
  const receivables = part(0.11, 0.16);
  const inventories = part(0.09, 0.14);
  const otherCurrent = part(0.02, 0.04);
  const property = Math.round(
    revenue * (0.1 + company.intensity * 2.6 * between(0.95, 1.05)),
  );
  const goodwill = part(0.24, 0.28);
  const intangibles = part(0.08, 0.11);
  const otherAssets = part(0.04, 0.06);
  const currentAssets = cash + receivables + inventories + otherCurrent;
  const assets = currentAssets + property + goodwill + intangibles + otherAssets;
  const payables = part(0.08, 0.11);
  const shortDebt = part(0.02, 0.05);
  const accrued = part(0.08, 0.11);
  const longDebt = part(0.22, 0.3);
  const pension = part(0.03, 0.05);
  const currentLiabilities = payables + shortDebt + accrued;
  const liabilities = currentLiabilities + longDebt + pension;
  const fromOperations = net + depreciation + part(-0.01, 0.02);
  const segments = shared(revenue, [between(3, 5), between(2, 3), between(1, 2)]);
  const segmentIncome = shared(operating, [between(3, 5), between(1.5, 3), between(1, 2)]);
  const regions = shared(revenue, [between(4, 5), between(2, 3), between(1.5, 2)]);
  return {
    year, revenue, cost, gross: revenue - cost, selling, research, restructuring, operating,
    interest, pretax, tax, net, shares, depreciation, capital, dividends, repurchases,
    acquisitions, cash, receivables, inventories, otherCurrent, currentAssets, property,
    goodwill, intangibles, otherAssets, assets, payables, shortDebt, accrued,
    currentLiabilities, longDebt, pension, liabilities, equity: assets - liabilities,
    fromOperations, segments, segmentIncome, regions,
    compensation: part(0.006, 0.012),
    employees: Math.round(revenue * between(2.9, 3.1)),
    perShare: (net / shares).toFixed(2),
    dividendPerShare: (dividends / shares).toFixed(2),
    taxRate: `${((tax / pretax) * 100).toFixed(1)}%`,
    discountRate: `${between(2.4, 4.9).toFixed(2)}%`,
    backlog: part(0.4, 0.9),
    legal: part(0.003, 0.009),
    leases: part(0.05, 0.08),
    facility: 250 * Math.round(between(4, 12)),
  }; // prettier-ignore
}

function shared(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((one, other) => one + other, 0);
  const parts = weights.slice(1).map((weight) => Math.round((total * weight) / sum));
  return [total - parts.reduce((one, other) => one + other, 0), ...parts];
}

/** The same numbers for the same name in every run. */
export function randomOf(name: string): () => number {
  return randomFrom(createHash("sha256").update(name).digest().readUInt32LE(0));
}
