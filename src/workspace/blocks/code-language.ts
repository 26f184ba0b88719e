/** The languages of code blocks that the workspace knows, and their common aliases. */
const languages: ReadonlySet<string> = new Set(
  (
    'abap,abc,agda,arduino,ascii art,assembly,bash,basic,bnf,c,c#,c++,clojure,coffeescript,coq,css,dart,dhall,diff,docker,' +
    'ebnf,elixir,elm,erlang,f#,flow,fortran,gherkin,glsl,go,graphql,groovy,haskell,hcl,html,idris,java,javascript,json,' +
    'julia,kotlin,latex,less,lisp,livescript,llvm ir,lua,makefile,markdown,markup,matlab,mathematica,mermaid,nix,' +
    'notion formula,objective-c,ocaml,pascal,perl,php,plain text,powershell,prolog,protobuf,purescript,python,r,racket,' +
    'reason,ruby,rust,sass,scala,scheme,scss,shell,smalltalk,solidity,sql,swift,toml,typescript,vb.net,verilog,vhdl,' +
    'visual basic,webassembly,xml,yaml,java/c/c++/c#'
  ).split(','),
);

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ts: 'typescript',
    tsx: 'typescript',
    js: 'javascript',
    jsx: 'javascript',
    sh: 'shell',
    zsh: 'shell',
    console: 'shell',
    py: 'python',
    rb: 'ruby',
    rs: 'rust',
    kt: 'kotlin',
    yml: 'yaml',
    md: 'markdown',
    text: 'plain text',
    txt: 'plain text',
    none: 'plain text',
    plaintext: 'plain text',
    '': 'plain text',
    golang: 'go',
    cpp: 'c++',
    cxx: 'c++',
    cs: 'c#',
    csharp: 'c#',
    fsharp: 'f#',
    dockerfile: 'docker',
    make: 'makefile',
    ps1: 'powershell',
    objc: 'objective-c',
    tex: 'latex',
    proto: 'protobuf',
    tf: 'hcl',
    wasm: 'webassembly',
  }),
);

/** @returns the workspace's name of the language; for an unknown language, `plain text` with `known: false` */
export function codeLanguage(name: string): { language: string; known: boolean } {
  const wanted = name.trim().toLowerCase();
  if (languages.has(wanted)) return { language: wanted, known: true };
  const alias = aliases.get(wanted);
  return alias === undefined ? { language: 'plain text', known: false } : { language: alias, known: true };
}
