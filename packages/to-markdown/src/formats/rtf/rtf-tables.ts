import type { Block, Cell } from "../blocks.ts";
import { isLayout } from "../lay-out-table.ts";

interface CellPlan {
  down: "first" | "goes on" | "none";
  right: "first" | "goes on" | "none";
  edge: number;
}

/**
 * Collects tables: `\trowd` begins a row, `\cell` ends a cell, and a paragraph outside ends the
 * table. Supports one level; deeper tables become text of their cell.
 */
export function rtfTables() {
  let rows: { cells: Block[][]; plans: CellPlan[] }[] = [];
  let cells: Block[][] = [];
  let plans: CellPlan[] = [];
  let next: Omit<CellPlan, "edge"> = { down: "none", right: "none" };

  return {
    isOpen: () => rows.length > 0 || cells.length > 0,
    startRow() {
      plans = [];
    },
    plan(name: string, value: number | undefined) {
      if (name === "clvmgf") next.down = "first";
      else if (name === "clvmrg") next.down = "goes on";
      else if (name === "clmgf") next.right = "first";
      else if (name === "clmrg") next.right = "goes on";
      else {
        plans.push({ ...next, edge: value ?? 0 });
        next = { down: "none", right: "none" };
      }
    },
    endCell(blocks: Block[]) {
      cells.push(blocks);
    },
    endRow() {
      if (cells.length > 0) rows.push({ cells, plans: [...plans] });
      cells = [];
    },
    /** Ends the table and returns its blocks. */
    finish(): Block[] {
      if (cells.length > 0) this.endRow();
      const done = spanned(rows);
      rows = [];
      if (done.length === 0) return [];
      return isLayout(done)
        ? done.flatMap((row) => row.flatMap((cell) => cell.blocks))
        : [{ kind: "table", rows: done, depth: 0, quote: 0 }];
    },
  };
}

function spanned(rows: readonly { cells: Block[][]; plans: CellPlan[] }[]): Cell[][] {
  /** By the right edge of its column, the cell that the next row may continue */
  let open = new Map<number, Cell>();
  return rows.map(({ cells, plans }) => {
    const row: Cell[] = [];
    const below = new Map<number, Cell>();
    for (const [index, blocks] of cells.entries()) {
      const plan = plans[index];
      const above = plan?.down === "goes on" ? open.get(plan.edge) : undefined;
      const aside = plan?.right === "goes on" ? row.at(-1) : undefined;
      if (above && plan) {
        above.rows += 1;
        below.set(plan.edge, above);
      } else if (aside) aside.columns += 1;
      else {
        const cell: Cell = { blocks, columns: 1, rows: 1 };
        row.push(cell);
        if (plan?.down === "first") below.set(plan.edge, cell);
      }
    }
    open = below;
    return row;
  });
}
