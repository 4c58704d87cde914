#include "core/report/html_style.h"

namespace stepwise::report {

// Text has a contrast of 4.5 or more against its ground, pieces of bars 3 or more or an outline that has it.
std::string_view html_style() {
  return R"css(
:root{color-scheme:light dark;--ground:#fff;--raised:#f6f8fa;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--link:#0a58ca;
--bad:#b42318;--bad-ground:#fff1f0;--computing:#2563eb;--hidden:#0d9488;--uncovered:#c2410c;--copy:#7c3aed;
--idle:#dfe4ea;--idle-line:#7b8794;--other:#6b7280}
@media (prefers-color-scheme:dark){:root{--ground:#0f1419;--raised:#182028;--ink:#e6edf3;--soft:#a3adb9;--line:#33404d;
--link:#79b8ff;--bad:#ff8a80;--bad-ground:#3a1715;--computing:#6ea8fe;--hidden:#2dd4bf;--uncovered:#fb923c;
--copy:#c4b5fd;--idle:#27313b;--idle-line:#8b98a7;--other:#9ca3af}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
a{color:var(--link)}
code,pre{font-family:ui-monospace,SFMono-Regular,Consolas,"Liberation Mono",monospace;font-size:.9em}
code{background:var(--raised);padding:0 .2em;border-radius:3px}
pre{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:.75rem;overflow-x:auto}
.page{max-width:86rem;margin:0 auto;padding:1rem}
nav{font-size:.9rem;border:1px solid var(--line);border-radius:6px;padding:.75rem 1rem;margin:1rem 0}
nav h2{font-size:.9rem;margin:0 0 .4rem;border:0;padding:0}
nav ul{list-style:none;margin:0;padding:0;columns:16rem;column-gap:2rem}
nav li{break-inside:avoid;padding:.1rem 0}
nav a{text-decoration:none}
nav a:hover,nav a:focus{text-decoration:underline}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.25rem;margin:2.25rem 0 .75rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.5rem 0 .5rem}
h1,h2,h3,p,li,figcaption{overflow-wrap:anywhere}
p{margin:.6rem 0;max-width:72rem}
.wrap{overflow:auto;margin:.6rem 0 1.2rem;border:1px solid var(--line);border-radius:6px}
.wrap:focus-visible{outline:2px solid var(--link);outline-offset:1px}
.tall{max-height:34rem}
table{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.4rem .6rem;color:var(--soft);font-weight:600}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.aside table{font-size:.8rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line);unicode-bidi:isolate}
thead th{background:var(--raised);position:sticky;top:0;vertical-align:bottom}
tbody tr:last-child td{border-bottom:0}
tbody tr:hover td{background:var(--raised)}
th.n,td.n{text-align:right}
td.n{white-space:nowrap}
tr.bad td{color:var(--bad);background:var(--bad-ground);font-weight:600}
p.bad{color:var(--bad);background:var(--bad-ground);border:1px solid var(--bad);border-radius:6px;padding:.5rem .75rem;
font-weight:600}
figure.chart{margin:1rem 0 1.25rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:6px}
figcaption{font-weight:600;margin-bottom:.5rem}
ol.bars,ul.legend{list-style:none;margin:0;padding:0}
ol.bars li{padding:.15rem 0}
ol.named li{display:grid;grid-template-columns:minmax(6rem,22rem) minmax(6rem,1fr) minmax(8.5rem,auto);gap:.75rem;
align-items:center}
.label{font-size:.875rem;overflow-wrap:anywhere;unicode-bidi:isolate}
.figure{font-size:.875rem;text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
svg.bar{display:block;min-width:0}
svg.swatch{flex:none;margin-right:.4rem}
svg rect{stroke:var(--ground);stroke-width:1}
.t-computing{fill:var(--computing)}.t-hidden{fill:var(--hidden)}.t-uncovered{fill:var(--uncovered)}
.t-copy{fill:var(--copy)}.t-other{fill:var(--other)}.t-idle{fill:var(--idle)}
.t-idle rect{stroke:var(--idle-line)}
ul.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin-top:.5rem;font-size:.875rem}
ul.legend li{display:flex;align-items:center}
ul.legend b{margin-left:.5em;font-variant-numeric:tabular-nums}
footer{margin-top:2.5rem;color:var(--soft);font-size:.85rem}
@media (max-width:40rem){.page{padding:.75rem}h1{font-size:1.35rem}h2{font-size:1.15rem}
figure.chart{padding:.6rem .7rem}
ol.named li{grid-template-columns:1fr auto;gap:.1rem .75rem}
ol.named svg.bar{grid-row:2;grid-column:1/-1}
th,td{padding:.3rem .45rem}}
@media print{:root{color-scheme:light;--ground:#fff;--raised:#f6f8fa;--ink:#000;--soft:#444;--line:#bbb;--link:#000;
--bad:#b42318;--bad-ground:#fff1f0;--computing:#2563eb;--hidden:#0d9488;--uncovered:#c2410c;--copy:#7c3aed;
--idle:#dfe4ea;--idle-line:#7b8794;--other:#6b7280}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
@page{margin:14mm}
body{font-size:10pt}.page{max-width:none;padding:0}nav,.skip{display:none}
h2,h3,figcaption,caption{break-after:avoid}tr,figure.chart{break-inside:avoid}thead{display:table-header-group}
.wrap{overflow:visible;max-height:none;border:0}table,.aside table{font-size:7.5pt}th,td{padding:.15rem .3rem}
td,th{overflow-wrap:anywhere}td.n{white-space:normal}thead th{position:static}}
)css";
}

}  // namespace stepwise::report
