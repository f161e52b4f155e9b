import { FileText, FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import { Button } from "../ui/button.tsx";
import { Chooser } from "../ui/chooser.tsx";
import { Problem } from "../ui/states.tsx";
import { documentsQuery } from "./queries.ts";
import { useTextTexts } from "./texts.ts";
import { useFileText } from "./use-file-text.ts";

/** Takes the text of a file of this device, or of a document. */
export function SourceButtons({ onText }: { onText: (text: string) => void }) {
  const texts = useTextTexts();
  const input = useRef<HTMLInputElement>(null);
  const [isChoosing, setChoosing] = useState(false);
  const reading = useFileText(onText);
  const mayRead = usePermission("document:read");
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={reading.isReading} onClick={() => input.current?.click()}>
          <FileUp aria-hidden size={16} />
          {texts.openFile}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) reading.readFile(file);
            event.target.value = "";
          }}
        />
        {mayRead && (
          <Button busy={reading.isReading} onClick={() => setChoosing(true)}>
            <FileText aria-hidden size={16} />
            {texts.fromDocument}
          </Button>
        )}
        {reading.isReading && (
          <span role="status" className="text-xs text-muted">
            {texts.reading}
          </span>
        )}
      </div>
      {reading.error && <Problem error={reading.error} />}
      {isChoosing && (
        <Chooser
          title={texts.fromDocument}
          useList={useDocuments}
          keyOf={({ id }) => id}
          labelOf={({ fileName }) => <bdi>{fileName}</bdi>}
          chosen={[]}
          max={1}
          onChange={(_, { id }) => {
            setChoosing(false);
            reading.readDocument(id);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

function useDocuments(words: string | undefined) {
  return useList(documentsQuery(words));
}
