import { Button } from "./button.tsx";
import { useUiTexts } from "./texts.ts";

interface MoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** Fetches the next page of a list; nothing at its end. */
export function More({ list }: MoreProps) {
  const texts = useUiTexts();
  if (!list.hasNextPage) return null;
  return (
    <div className="grid justify-items-center py-3">
      <Button
        look="quiet"
        busy={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {texts.more}
      </Button>
    </div>
  );
}
