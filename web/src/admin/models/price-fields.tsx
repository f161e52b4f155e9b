import { textOf } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { AvailableModel, AvailableModelChange } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

const PRICES = ["inputPerMillion", "outputPerMillion", "cachedInputPerMillion"] as const;

/** The price of a million tokens; `readPrice` reads it. */
export function PriceFields({ pricing }: Pick<AvailableModel, "pricing">) {
  const texts = useModelTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="font-medium">{texts.prices}</legend>
      <p className="text-xs text-muted">{texts.pricesHint}</p>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {PRICES.map((name) => (
          <TextField
            key={name}
            label={texts.priceNames[name]}
            name={name}
            type="number"
            min={0}
            max={1e9}
            step="any"
            inputMode="decimal"
            defaultValue={pricing?.[name]}
          />
        ))}
        <TextField
          label={texts.currency}
          name="currency"
          defaultValue={pricing?.currency ?? "USD"}
          minLength={3}
          maxLength={3}
          pattern="[A-Za-z]{3}"
          required
        />
      </div>
    </fieldset>
  );
}

/** Null: without a price nothing counts towards budgets. */
export function readPrice(
  fields: FormData,
): NonNullable<AvailableModelChange["pricing"]> | null {
  const [input, output, cached] = PRICES.map((name) => textOf(fields, name));
  if (!input && !output) return null;
  return {
    inputPerMillion: Number(input),
    outputPerMillion: Number(output),
    ...(cached && { cachedInputPerMillion: Number(cached) }),
    currency: textOf(fields, "currency").toUpperCase(),
  };
}
