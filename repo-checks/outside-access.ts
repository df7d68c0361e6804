import { basename, relative } from "node:path";
import ts from "typescript";
import { root } from "../scripts/workspace.ts";

/** Modules, and files of globals, with access to the clock, timers, the network, settings or other programs. */
const outsideModules = new Set([
  ...["child_process", "cluster", "dgram", "dns", "http", "http2", "https", "inspector", "net", "os", "perf_hooks"],
  ...["process", "repl", "timers", "tls", "undici", "vm", "worker_threads"],
  ...["eventsource", "performance", "websocket"],
]);

/**
 * Members of standard objects that read the clock, start a timer or draw randomness: the declaring type, then the
 * names.
 */
const outsideMembers: Readonly<Record<string, RegExp>> = {
  DateConstructor: /^now$/,
  Math: /^random$/,
  Crypto: /^(randomUUID|getRandomValues)$/,
  AbortSignal: /^timeout$/,
};
const harmless = /^(clear(Timeout|Interval|Immediate)|queueMicrotask)$/;
const randomFunctions = /^(random|getRandomValues|generateKey|webcrypto)/;

/**
 * Lists, as `path:line code`, each expression by which a file uses something of the process instead of a port. The
 * check resolves names, so that an alias or a re-export hides nothing and an injected `fetch` is allowed.
 * `allowedModules` are omitted.
 */
export function outsideAccess(
  program: ts.Program,
  path: string,
  allowedModules: ReadonlySet<string> = new Set(),
): readonly string[] {
  const file = program.getSourceFile(path);
  if (file === undefined) throw new Error(`The program has no file ${path}.`);
  const checker = program.getTypeChecker();
  const found: string[] = [];
  const report = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push(`${relative(root, path)}:${line + 1} ${node.parent.getText(file).split("\n")[0] ?? ""}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      if (readsClock(checker, node)) report(node.expression);
    }
    if (ts.isIdentifier(node) && isOutside(resolve(checker, node), allowedModules)) report(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `new Date()` and `Date()` read the clock; `new Date(milliseconds)` does not. */
function readsClock(checker: ts.TypeChecker, node: ts.NewExpression | ts.CallExpression): boolean {
  const constructs = checker.typeToString(checker.getTypeAtLocation(node.expression)) === "DateConstructor";
  return constructs && (ts.isCallExpression(node) || (node.arguments?.length ?? 0) === 0);
}

function resolve(checker: ts.TypeChecker, node: ts.Identifier): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isOutside(symbol: ts.Symbol | undefined, allowedModules: ReadonlySet<string>): boolean {
  if (symbol === undefined) return false;
  return (symbol.declarations ?? []).some((declaration) => {
    const { fileName } = declaration.getSourceFile();
    const module = moduleOf(fileName);
    if (module === undefined || allowedModules.has(module)) return false;
    if (isTypeDeclaration(declaration) || harmless.test(symbol.name)) return false;
    const owner = declaration.parent;
    const type = ts.isInterfaceDeclaration(owner) ? owner.name.text : globalVariableOf(declaration);
    if (type !== undefined && (outsideMembers[type]?.test(symbol.name) ?? false)) return true;
    if (module === "crypto") return randomFunctions.test(symbol.name);
    return isEntrance(declaration) && (outsideModules.has(module) || outsideGlobals.has(symbol.name));
  });
}

/** Globals that `@types/node` declares beside harmless ones. */
const outsideGlobals = new Set(["fetch", "WebSocket", "EventSource", "performance", "process"]);

/**
 * The module of a declaration file: `timers` for timers/promises.d.ts and web-globals/timers.d.ts, `lib` for the
 * language's own.
 */
function moduleOf(fileName: string): string | undefined {
  const inNode = /\/@types\/node\/(.+)\.d\.[cm]?ts$/.exec(fileName)?.[1];
  if (inNode !== undefined) return inNode.replace("web-globals/", "").split("/")[0];
  if (/\/node_modules\/undici(-types)?\//.test(fileName)) return "undici";
  return basename(fileName).startsWith("lib.") ? "lib" : undefined;
}

function isTypeDeclaration(declaration: ts.Declaration): boolean {
  return ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
}

/** A function, variable, class or module is an access; a member of an injected object is not. */
function isEntrance(declaration: ts.Declaration): boolean {
  return (
    ts.isFunctionDeclaration(declaration) ||
    ts.isVariableDeclaration(declaration) ||
    ts.isClassDeclaration(declaration) ||
    ts.isModuleDeclaration(declaration) ||
    ts.isSourceFile(declaration)
  );
}

/** The variable whose inline type declares a member: `declare var AbortSignal: { timeout(...) }`. */
function globalVariableOf(declaration: ts.Declaration): string | undefined {
  if (isEntrance(declaration)) return undefined;
  const variable = ts.findAncestor(declaration, ts.isVariableDeclaration);
  return variable && ts.isIdentifier(variable.name) ? variable.name.text : undefined;
}
