import type { DocumentProblem, ProcedureDocument } from "@procedo/contract";
import { ArrowDownUp, Link2, Plus, Trash2 } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, type ReactElement } from "react";
import { Button } from "../../ui/button.tsx";
import { latePart } from "../../ui/late-part.tsx";
import { useToast } from "../../ui/toasts.tsx";
import type { DocumentEdit } from "../document/document-edit.ts";
import { isRemovable, nodeOf } from "../document/edit-document.ts";
import { waysOf, type Place } from "../document/ways.ts";
import { Inspector } from "../inspector/inspector.tsx";
import type { StepContext } from "../inspector/step-context.ts";
import { AddStepDialog } from "../outline/add-step-dialog.tsx";
import { ConnectDialog, MoveDialog } from "../outline/connect-dialog.tsx";
import { editorOutline } from "../outline/editor-outline.ts";
import { OutlineTree, type TreeAct } from "../outline/outline-tree.tsx";
import { placeOfRow, rowKeyOf, stepOfRow } from "../outline/selection.ts";
import { openField } from "../problems/open-field.ts";
import { problemMarks } from "../problems/problem-marks.ts";
import { messagesOf, messagesAt, type FieldMessages } from "../problems/shown-problems.ts";
import { stepTitle } from "../../flowchart/step-title.ts";

/** The chart is a view of its own size, and is loaded after the outline, which does everything. */
const EditorChart = latePart("The flowchart", async () => (await import("./editor-chart.tsx")).EditorChart);

interface FlowchartViewProps {
  readonly document: ProcedureDocument;
  readonly problems: readonly DocumentProblem[];
  readonly opened: DocumentProblem | undefined;
  readonly isShown: boolean;
  /** Makes edits as one act, and returns the document after them. */
  readonly edit: (...edits: readonly DocumentEdit[]) => ProcedureDocument | undefined;
  readonly onEndAct: () => void;
}

type OpenDialog = "add" | "move" | { readonly connect: Place };

/** The outline, the chart, and the fields of the step that is chosen in one of them. */
export function FlowchartView({
  document,
  problems,
  opened,
  isShown,
  edit,
  onEndAct,
}: FlowchartViewProps): ReactElement {
  const toast = useToast();
  const rows = useMemo(() => editorOutline(document), [document]);
  // The number changes with each choice, so that the fields of another step begin anew, and a rename keeps them.
  const [chosen, setChosen] = useState({ key: rows[0]?.key ?? "", index: 0, number: 0 });
  const [dialog, setDialog] = useState<OpenDialog>();
  const inspector = useRef<HTMLElement>(null);
  // An undo may give the step its former id. It keeps its place among the steps.
  const sameIndex = rowKeyOf(document.nodes[chosen.index]?.id ?? "");
  const row = rows.find(({ key }) => key === chosen.key) ?? rows.find(({ key }) => key === sameIndex) ?? rows[0];
  const nodeId = row === undefined ? undefined : stepOfRow(row);
  const node = nodeId === undefined ? undefined : nodeOf(document, nodeId);
  const index = node === undefined ? -1 : document.nodes.indexOf(node);
  const marks = useMemo(() => problemMarks(problems), [problems]);

  const choose = (key: string): void => {
    const at = document.nodes.findIndex(({ id }) => rowKeyOf(id) === key);
    // A step that is being added comes last.
    setChosen({ key, index: at === -1 ? document.nodes.length : at, number: chosen.number + 1 });
  };
  const select = (key: string): void => {
    onEndAct();
    choose(key);
  };
  const focusField = useCallback((pointer: string): void => {
    // At once: the next key that the person presses belongs to the field.
    if (inspector.current !== null) openField(inspector.current, pointer);
  }, []);
  const [shownProblem, setShownProblem] = useState(opened);
  if (opened !== shownProblem && isShown) {
    setShownProblem(opened);
    const key = opened?.nodeId === undefined ? rows[0]?.key : rowKeyOf(opened.nodeId);
    if (key !== undefined) choose(key);
  }
  useEffect(() => {
    if (opened === undefined || !isShown) return;
    focusField(opened.path.replace(/^\/nodes\/\d+/, ""));
  }, [opened, isShown, focusField]);

  const connectFrom = (): void => {
    const place = row === undefined ? undefined : placeOfRow(row, document);
    const first = place ?? (node === undefined ? undefined : firstPlace(node.id, document));
    if (first !== undefined) setDialog({ connect: first });
  };
  const remove = (): void => {
    if (node === undefined || row === undefined) return;
    if (row.kind !== "step" || !isRemovable(document, node)) return;
    const at = rows.indexOf(row);
    const before = rows.findLast((one, place) => place < at && one.kind === "step");
    edit({ kind: "delete_step", nodeId: node.id });
    select(before?.key ?? rows[0]?.key ?? "");
    toast(`${stepTitle(node)} is deleted. Undo brings it back.`);
  };
  const act = (asked: TreeAct): void => {
    switch (asked) {
      case "add":
        return setDialog("add");
      case "connect":
        return connectFrom();
      case "delete":
        return remove();
      case "move":
        return node === undefined || node.kind === "start" ? undefined : setDialog("move");
      case "rename":
        return focusField("/id");
      case "open":
        return focusField("/title");
    }
  };
  const close = (): void => setDialog(undefined);
  const isStep = row?.kind === "step";
  const step: StepContext | undefined = node && {
    document,
    node,
    edit: (...edits) => void edit(...edits),
    endAct: onEndAct,
    messagesAt: (pointer) => messagesAt(problems, `/nodes/${index}${pointer}`),
  };
  return (
    <div className="grid min-w-0 gap-4 md:grid-cols-[minmax(0,1fr)_minmax(20rem,24rem)] md:grid-rows-[auto_1fr] min-[87.5rem]:grid-cols-[minmax(16rem,22rem)_minmax(0,1fr)_minmax(20rem,24rem)] min-[87.5rem]:grid-rows-1">
      <div className="flex min-w-0 flex-col gap-2">
        <div role="toolbar" aria-label="Steps" className="flex flex-wrap gap-1.5">
          <Button icon={Plus} aria-keyshortcuts="a" onClick={() => act("add")}>
            Add step
          </Button>
          <Button
            icon={Link2}
            aria-keyshortcuts="c"
            disabled={node === undefined || waysOf(node).length === 0}
            onClick={() => act("connect")}
          >
            Connect
          </Button>
          <Button
            icon={ArrowDownUp}
            aria-keyshortcuts="m"
            disabled={!isStep || node === undefined || node.kind === "start"}
            onClick={() => act("move")}
          >
            Move
          </Button>
          <Button
            icon={Trash2}
            aria-keyshortcuts="Delete"
            disabled={!isStep || node === undefined || !isRemovable(document, node)}
            onClick={() => act("delete")}
          >
            Delete step
          </Button>
        </div>
        <OutlineTree rows={rows} selectedKey={row?.key} marks={marks} onSelect={select} onAct={act} />
        <p className="text-small text-text-3 pointer-coarse:hidden">
          In the outline: arrows choose, <kbd>a</kbd> adds, <kbd>c</kbd> connects, <kbd>m</kbd> moves, <kbd>Del</kbd>{" "}
          deletes, <kbd>F2</kbd> changes the id, <kbd>Enter</kbd> goes to the fields.
        </p>
      </div>
      <div className="min-w-0 max-[87.5rem]:order-last max-[87.5rem]:md:col-start-1">
        {isShown && <EditorChart document={document} selectedId={nodeId} onSelect={(id) => select(rowKeyOf(id))} />}
      </div>
      {step !== undefined && (
        <div className="min-w-0 md:row-span-2 min-[87.5rem]:row-span-1">
          <Inspector
            key={`${chosen.number}/${index}`}
            step={step}
            ownMessages={ownMessages(problems, index, step.node.id)}
            documentMessagesAt={(pointer) => messagesAt(problems, pointer)}
            onRename={(to) => {
              const next = edit({ kind: "rename_step", nodeId: step.node.id, to });
              if (next === document) return;
              setChosen({ ...chosen, key: rowKeyOf(to), index });
            }}
            onConnect={(from) => setDialog({ connect: from })}
            place={inspector}
          />
        </div>
      )}
      {dialog === "add" && (
        <AddStepDialog
          document={document}
          after={row === undefined ? undefined : placeOfRow(row, document)}
          onAdd={(added) => {
            edit(added);
            select(rowKeyOf(added.nodeId));
            close();
          }}
          onClose={close}
        />
      )}
      {dialog === "move" && node !== undefined && (
        <MoveDialog
          document={document}
          node={node}
          onMove={(moved) => {
            edit(moved);
            close();
          }}
          onClose={close}
        />
      )}
      {typeof dialog === "object" && (
        <Connecting
          document={document}
          from={dialog.connect}
          onConnect={(connected) => {
            edit(connected);
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

function Connecting({
  document,
  from,
  onConnect,
  onClose,
}: {
  readonly document: ProcedureDocument;
  readonly from: Place;
  readonly onConnect: (edit: DocumentEdit) => void;
  readonly onClose: () => void;
}): ReactElement | null {
  const node = nodeOf(document, from.nodeId);
  return node === undefined ? null : <ConnectDialog {...{ document, node, from, onConnect, onClose }} />;
}

function firstPlace(nodeId: string, document: ProcedureDocument): Place | undefined {
  const node = nodeOf(document, nodeId);
  const [way] = node === undefined ? [] : waysOf(node);
  return way === undefined ? undefined : { nodeId, branch: way.branch };
}

/** The messages about the step that belong to none of its fields, such as a way that is missing. */
function ownMessages(problems: readonly DocumentProblem[], index: number, nodeId: string): FieldMessages {
  return messagesOf(
    problems
      .filter((problem) => problem.nodeId === nodeId)
      .filter(({ path }) => path === `/nodes/${index}` || path.startsWith("/edges/")),
  );
}
