/**
 * What reports of companies and those who ask about them call the same, and of what the usual key
 * figures are computed: the vocabulary of textbooks of accounting, of GAAP, IFRS and HGB. A
 * question is searched with the other names of what it names, see find-synonyms.ts.
 */
export interface FinancialTerm {
  /** All names in English and German, the first by which other terms refer to it. */
  names: readonly string[];
  /** Said also where no report is meant: it counts only beside another term. */
  isCommon?: true;
  /** It is written about in sentences rather than stated in tables. */
  isProse?: true;
  /** By their first names: of what it is computed, or in which statement it stands. */
  of?: readonly string[];
}

// prettier-ignore
export const FINANCIAL_TERMS: readonly FinancialTerm[] = [
  // statements
  { names: ["income statement", "statement of income", "statement of operations", "statement of earnings", "statement of profit or loss", "profit and loss statement", "profit and loss account", "P&L", "Gewinn- und Verlustrechnung", "GuV"] },
  { names: ["balance sheet", "statement of financial position", "statement of financial condition", "Bilanz"] },
  { names: ["cash flow statement", "statement of cash flows", "Kapitalflussrechnung"] },
  { names: ["statement of changes in equity", "statement of stockholders' equity", "statement of shareholders' equity", "Eigenkapitalveränderungsrechnung"] },

  // lines of the income statement
  { names: ["revenue", "net revenue", "sales", "net sales", "top line", "Umsatz", "Umsatzerlöse"], isCommon: true, of: ["income statement"] },
  { names: ["cost of goods sold", "cost of sales", "cost of revenue", "cost of products sold", "COGS", "Umsatzkosten", "Herstellungskosten des Umsatzes"], of: ["income statement"] },
  { names: ["gross profit", "gross income", "Bruttoergebnis vom Umsatz", "Bruttogewinn"], of: ["revenue", "cost of goods sold"] },
  { names: ["selling, general and administrative expenses", "selling, general and administrative", "SG&A", "Vertriebs- und Verwaltungskosten"], of: ["income statement"] },
  { names: ["research and development", "R&D", "Forschung und Entwicklung"] },
  { names: ["operating expenses", "opex", "betriebliche Aufwendungen"], of: ["income statement"] },
  { names: ["operating income", "operating profit", "operating earnings", "income from operations", "profit from operations", "earnings before interest and taxes", "EBIT", "Betriebsergebnis", "operatives Ergebnis"], of: ["income statement"] },
  { names: ["depreciation and amortization", "depreciation and amortisation", "D&A", "Abschreibungen"], of: ["cash flow statement"] },
  { names: ["EBITDA", "earnings before interest, taxes, depreciation and amortization"], of: ["operating income", "depreciation and amortization"] },
  { names: ["interest expense", "finance costs", "Zinsaufwand"], of: ["income statement"] },
  { names: ["pretax income", "pre-tax income", "income before taxes", "income before income taxes", "earnings before taxes", "earnings before income taxes", "earnings before provision for income taxes", "profit before tax", "EBT", "Ergebnis vor Steuern"], of: ["income statement"] },
  { names: ["income tax expense", "provision for income taxes", "income taxes", "tax expense", "Ertragsteuern", "Steueraufwand"], of: ["income statement"] },
  { names: ["net income", "net earnings", "net profit", "net loss", "profit for the year", "bottom line", "Jahresüberschuss", "Konzernergebnis"], of: ["income statement"] },
  { names: ["earnings per share", "net income per share", "income per share", "EPS", "Ergebnis je Aktie"], of: ["income statement"] },
  { names: ["stock-based compensation", "share-based compensation", "share-based payment", "aktienbasierte Vergütung"] },

  // lines of the balance sheet
  { names: ["cash and cash equivalents", "cash equivalents", "Zahlungsmittel", "flüssige Mittel"], of: ["balance sheet"] },
  { names: ["marketable securities", "short-term investments", "Wertpapiere"], of: ["balance sheet"] },
  { names: ["accounts receivable", "trade receivables", "trade and other receivables", "receivables", "trade debtors", "Forderungen aus Lieferungen und Leistungen"], of: ["balance sheet"] },
  { names: ["inventories", "inventory", "Vorräte"], isCommon: true, of: ["balance sheet"] },
  { names: ["current assets", "kurzfristige Vermögenswerte", "Umlaufvermögen"], of: ["balance sheet"] },
  { names: ["property, plant and equipment", "property and equipment", "PP&E", "PPNE", "fixed assets", "Sachanlagen"], of: ["balance sheet"] },
  { names: ["intangible assets", "immaterielle Vermögenswerte"], of: ["balance sheet"] },
  { names: ["goodwill", "Geschäfts- oder Firmenwert"], of: ["balance sheet"] },
  { names: ["total assets", "Bilanzsumme", "Gesamtvermögen"], of: ["balance sheet"] },
  { names: ["accounts payable", "trade payables", "trade creditors", "Verbindlichkeiten aus Lieferungen und Leistungen"], of: ["balance sheet"] },
  { names: ["current liabilities", "kurzfristige Verbindlichkeiten", "kurzfristige Schulden"], of: ["balance sheet"] },
  { names: ["short-term debt", "short-term borrowings", "current portion of long-term debt", "kurzfristige Finanzschulden"], of: ["balance sheet"] },
  { names: ["long-term debt", "long-term borrowings", "non-current borrowings", "langfristige Finanzschulden"], of: ["balance sheet"] },
  { names: ["total debt", "financial debt", "borrowings", "Finanzschulden"], of: ["short-term debt", "long-term debt"] },
  { names: ["net debt", "Nettoverschuldung"], of: ["short-term debt", "long-term debt", "cash and cash equivalents"] },
  { names: ["total liabilities", "Summe der Schulden"], of: ["balance sheet"] },
  { names: ["total equity", "stockholders' equity", "shareholders' equity", "shareowners' equity", "Eigenkapital"], of: ["balance sheet"] },
  { names: ["working capital", "net working capital", "Nettoumlaufvermögen"], of: ["current assets", "current liabilities"] },

  // lines of the cash flow statement
  { names: ["operating cash flow", "cash flow from operations", "cash from operations", "cash flow from operating activities", "cash provided by operating activities", "cash generated from operations", "Cashflow aus betrieblicher Tätigkeit", "operativer Cashflow"], of: ["cash flow statement"] },
  { names: ["capital expenditure", "capex", "capital spending", "purchases of property, plant and equipment", "purchases of property and equipment", "additions to property, plant and equipment", "additions to property and equipment", "Investitionen in Sachanlagen"], of: ["cash flow statement"] },
  { names: ["free cash flow", "free cashflow", "FCF", "freier Cashflow"], of: ["operating cash flow", "capital expenditure"] },
  { names: ["investing activities", "Investitionstätigkeit"], of: ["cash flow statement"] },
  { names: ["financing activities", "Finanzierungstätigkeit"], of: ["cash flow statement"] },
  { names: ["dividends paid", "payment of dividends", "cash dividends", "gezahlte Dividenden"], of: ["cash flow statement"] },
  { names: ["share repurchase", "stock repurchase", "repurchase of common stock", "repurchase of shares", "share buyback", "stock buyback", "buy back shares", "purchases of treasury stock", "issuer purchases of equity securities", "Aktienrückkauf"] },

  // key figures
  { names: ["gross margin", "gross profit margin", "Bruttomarge"], of: ["gross profit", "revenue", "cost of goods sold"] },
  { names: ["operating margin", "operating profit margin", "EBIT margin", "Umsatzrendite"], of: ["operating income", "revenue"] },
  { names: ["EBITDA margin"], of: ["operating income", "depreciation and amortization", "revenue"] },
  { names: ["net margin", "net profit margin", "profit margin", "Nettomarge"], of: ["net income", "revenue"] },
  { names: ["effective tax rate", "ETR", "Steuerquote", "effektiver Steuersatz"], of: ["income tax expense", "pretax income"] },
  { names: ["current ratio", "working capital ratio", "Liquidität dritten Grades"], of: ["current assets", "current liabilities"] },
  { names: ["quick ratio", "acid test ratio", "acid-test ratio", "Liquidität zweiten Grades"], of: ["current assets", "current liabilities", "inventories", "accounts receivable"] },
  { names: ["cash ratio", "Liquidität ersten Grades"], of: ["cash and cash equivalents", "current liabilities"] },
  { names: ["operating cash flow ratio"], of: ["operating cash flow", "current liabilities"] },
  { names: ["inventory turnover", "stock turnover", "Lagerumschlag"], of: ["cost of goods sold", "inventories"] },
  { names: ["days inventory outstanding", "days sales of inventory", "DIO", "Lagerdauer"], of: ["cost of goods sold", "inventories"] },
  { names: ["days sales outstanding", "DSO", "receivables turnover"], of: ["accounts receivable", "revenue"] },
  { names: ["days payable outstanding", "DPO", "payables turnover"], of: ["accounts payable", "cost of goods sold", "inventories"] },
  { names: ["cash conversion cycle", "CCC"], of: ["inventories", "accounts receivable", "accounts payable", "revenue", "cost of goods sold"] },
  { names: ["asset turnover", "Kapitalumschlag"], of: ["revenue", "total assets"] },
  { names: ["fixed asset turnover"], of: ["revenue", "property, plant and equipment"] },
  { names: ["capital intensity", "capital intensive", "capital-intensive"], of: ["capital expenditure", "property, plant and equipment", "total assets", "revenue"] },
  { names: ["return on assets", "ROA", "Gesamtkapitalrendite"], of: ["net income", "total assets"] },
  { names: ["return on equity", "ROE", "Eigenkapitalrendite"], of: ["net income", "total equity"] },
  { names: ["return on invested capital", "return on capital employed", "ROIC", "ROCE"], of: ["operating income", "total equity", "long-term debt"] },
  { names: ["debt to equity", "debt-to-equity", "gearing ratio", "Verschuldungsgrad"], of: ["short-term debt", "long-term debt", "total equity"] },
  { names: ["debt ratio", "debt to assets", "leverage ratio"], of: ["total liabilities", "total assets"] },
  { names: ["equity ratio", "Eigenkapitalquote"], of: ["total equity", "total assets"] },
  { names: ["interest coverage", "times interest earned", "Zinsdeckungsgrad"], of: ["operating income", "interest expense"] },
  { names: ["dividend payout ratio", "payout ratio", "retention ratio", "Ausschüttungsquote"], of: ["dividends paid", "net income"] },
  { names: ["cash flow conversion", "cashflow conversion", "cash conversion"], of: ["operating cash flow", "capital expenditure", "net income"] },
  { names: ["book value per share"], of: ["total equity", "earnings per share"] },

  // parts of reports
  { names: ["mergers and acquisitions", "M&A", "acquisitions", "business combinations", "Unternehmenserwerbe"], isProse: true },
  { names: ["legal proceedings", "litigation", "lawsuits", "legal battles", "legal disputes", "commitments and contingencies", "Rechtsstreitigkeiten"], isProse: true },
  { names: ["employees", "headcount", "workforce", "human capital", "number of employees", "Mitarbeiter", "Beschäftigte"], isProse: true, isCommon: true },
  { names: ["geographic area", "geographies", "geographic region", "geographical segment", "Regionen"], isProse: true, isCommon: true },
  { names: ["revolving credit facility", "revolving credit agreement", "revolving line of credit", "credit facility", "syndizierte Kreditlinie"], isProse: true },
  { names: ["auditor", "independent registered public accounting firm", "Abschlussprüfer"], isProse: true, isCommon: true },
  { names: ["pension obligation", "benefit obligation", "defined benefit", "Pensionsverpflichtungen"], isProse: true },
  { names: ["fair value", "beizulegender Zeitwert"], isProse: true },
  { names: ["foreign exchange", "exchange rates", "foreign currency", "FX", "Wechselkurse"], isProse: true },
];
