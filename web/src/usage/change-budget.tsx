import { useChange } from "../shell/use-change.ts";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { AmountFields, readAmount } from "./amount-fields.tsx";
import { type Budget, changeBudget, type BudgetChange } from "./queries.ts";
import { useUsageTexts } from "./texts.ts";

/** Gives a budget another name, amount or warning; it counts from the next message on. */
export function ChangeBudgetDialog({
  budget,
  onClose,
}: {
  budget: Budget;
  onClose: () => void;
}) {
  const texts = useUsageTexts();
  const change = useChange({
    run: (changed: BudgetChange) => changeBudget(budget.id, changed),
    keys: [["budgets"]],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={texts.change}
      action={texts.save}
      busy={change.isPending}
      error={change.error}
      onSubmit={(fields) =>
        change.mutate({ name: textOf(fields, "name"), ...readAmount(fields) })
      }
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        name="name"
        defaultValue={budget.name}
        maxLength={200}
        required
        autoFocus
      />
      <AmountFields unit={budget.unit} amount={budget.amount} warnAt={budget.warnAt} />
    </FormDialog>
  );
}
