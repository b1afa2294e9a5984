#include "cooker/report/html_parts.h"

namespace simmer {

const char* const kHtmlStyle = R"css(
:root{color-scheme:light dark;--win:#F1F3F5;--base:#FFF;--alt:#F7F8FA;--line:#D4D9DF;--faint:#E8EBEE;--text:#1B1F24;
--text2:#57606A;--grew:#A8420E;--shrank:#0B5FAE;--fail:#B3123A;--failbg:#FCEBEF;--warn:#855600;--warnbg:#FFF4D9;
--hero:#522A6F;--npc:#1E8FE6;--background:#1C5A45;--camera:#A8742A;--other:#8C9098;--track:#E2E6EA;
--s1:#FBF3C4;--s2:#E9DC9A;--s3:#C9BE8A;--s4:#9C9A86;--s5:#6A7383;--s6:#43557F;--s7:#16305E;
--t1:#101418;--t2:#101418;--t3:#101418;--t4:#101418;--t5:#FFF;--t6:#FFF;--t7:#FFF}
@media (prefers-color-scheme:dark){:root{--win:#191C20;--base:#22262B;--alt:#272B31;--line:#3A4048;--faint:#2E333A;
--text:#E6E8EB;--text2:#A9B1BB;--grew:#FF9A5C;--shrank:#6CB6FF;--fail:#FF8499;--failbg:#3B2229;--warn:#E8B84A;
--warnbg:#382E17;--hero:#CF6BF2;--npc:#ADD1EB;--background:#2FD9A0;--camera:#B8812E;--other:#7A7E86;--track:#3A4048;
--s1:#1F3560;--s2:#364A70;--s3:#53607A;--s4:#6F737B;--s5:#9E9A76;--s6:#C9BC62;--s7:#F5DD4A;
--t1:#FFF;--t2:#FFF;--t3:#FFF;--t4:#FFF;--t5:#101418;--t6:#101418;--t7:#101418}}
*{box-sizing:border-box}
body{margin:0 auto;padding:12px 16px 32px;max-width:1280px;background:var(--win);color:var(--text);
font:13px/1.45 system-ui,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:1.4em;margin:0}h2{font-size:1.15em;margin:0 0 8px}p{margin:4px 0}
header{margin-bottom:8px}.quiet,header p,.figure small,th{color:var(--text2)}
section{background:var(--base);border:1px solid var(--line);border-radius:4px;padding:12px;margin-bottom:8px;min-width:0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px}
.figure b{display:block;font-size:2.15em;line-height:1.2;white-space:nowrap}.figure small{display:block;font-size:.85em}
.columns{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 8px}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:3px 12px 3px 0;border-bottom:1px solid var(--faint);white-space:nowrap;vertical-align:top}
th{font-weight:normal;font-size:.85em}td:last-child,th:last-child{padding-right:0}.n{text-align:right}
td.name{width:100%;max-width:0}td.name>span{display:flex;min-width:10em}
.name i,.name b{font:inherit;overflow:hidden;text-overflow:ellipsis;white-space:pre;min-width:0}.name i{flex:0 1000 auto}
.grew{color:var(--grew)}.shrank{color:var(--shrank)}.fail{color:var(--fail)}.warn{color:var(--warn)}
.mark{display:inline-block;flex:none;align-self:center;width:10px;height:10px;margin-right:6px;background:var(--other)}
.mark.hero{background:var(--hero)}.mark.npc{background:var(--npc)}.mark.background{background:var(--background)}
.mark.camera{background:var(--camera)}
.bar{display:inline-block;width:80px;height:8px;margin-right:8px;background:var(--track)}
tr.inner td.name{padding-left:16px;color:var(--text2)}summary{cursor:pointer;color:var(--text2);padding:4px 0}
.bar i{display:block;height:8px;background:var(--shrank);max-width:100%}.bar.over i{background:var(--fail)}
ul.problems{list-style:none;margin:0;padding:0}ul.problems li{padding:6px 8px;margin-bottom:4px;border-radius:4px;
background:var(--failbg);overflow-wrap:anywhere}ul.problems li.w{background:var(--warnbg)}
.legend{display:flex;flex-wrap:wrap;gap:4px 14px;align-items:center;margin-bottom:6px;color:var(--text2)}
.scale{display:inline-flex;align-items:center;gap:1px}.scale i{width:22px;height:10px;border:1px solid var(--line)}
.scale i.s0{background:var(--track)}.scale i:first-of-type{margin-left:6px}.scale i:last-of-type{margin-right:6px}
.s1{background:var(--s1)}.s2{background:var(--s2)}.s3{background:var(--s3)}.s4{background:var(--s4)}
.s5{background:var(--s5)}.s6{background:var(--s6)}.s7{background:var(--s7)}
.map{position:relative;height:480px;overflow:hidden}.map svg{width:100%;height:480px;display:block}
.map rect{stroke:var(--base);stroke-width:1;vector-effect:non-scaling-stroke;fill:var(--track)}
.map rect.bad{fill:var(--failbg);stroke:var(--fail)}
.map span{position:absolute;padding:1px 4px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;pointer-events:none;
font-size:.85em;color:var(--text)}.map span.head{font-weight:bold;color:var(--text)}
.by-used .u1{fill:var(--s1);color:var(--t1)}.by-used .u2{fill:var(--s2);color:var(--t2)}
.by-used .u3{fill:var(--s3);color:var(--t3)}.by-used .u4{fill:var(--s4);color:var(--t4)}
.by-used .u5{fill:var(--s5);color:var(--t5)}.by-used .u6{fill:var(--s6);color:var(--t6)}
.by-used .u7{fill:var(--s7);color:var(--t7)}
.by-ratio .r1{fill:var(--s1);color:var(--t1)}.by-ratio .r2{fill:var(--s2);color:var(--t2)}
.by-ratio .r3{fill:var(--s3);color:var(--t3)}.by-ratio .r4{fill:var(--s4);color:var(--t4)}
.by-ratio .r5{fill:var(--s5);color:var(--t5)}.by-ratio .r6{fill:var(--s6);color:var(--t6)}
.by-ratio .r7{fill:var(--s7);color:var(--t7)}
.by-used .for-ratio,.by-ratio .for-used{display:none}
.history svg{width:100%;height:160px;display:block}.history .line{fill:none;stroke:var(--shrank);stroke-width:2}
.history path{vector-effect:non-scaling-stroke}.history .grid{stroke:var(--faint);fill:none}
.history .dot{stroke:var(--shrank);stroke-width:7;stroke-linecap:round}
.ends{display:flex;justify-content:space-between;color:var(--text2);font-size:.85em}
@media (max-width:800px){.columns{grid-template-columns:minmax(0,1fr)}.map span.small{display:none}
td.name{max-width:none;width:auto}td.name>span{max-width:13em}}
@media print{:root{--win:#FFF}body{max-width:none;padding:0;font-size:9pt}section{break-inside:avoid;border-color:#999}
.long{break-inside:auto}.legend input{display:none}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

const char* const kHtmlScript = R"js(
for(const input of document.querySelectorAll("input[name=colour]"))
  input.addEventListener("change",()=>{document.body.className=input.value});
addEventListener("beforeprint",()=>{for(const list of document.querySelectorAll("details"))list.open=true});
)js";

}  // namespace simmer
