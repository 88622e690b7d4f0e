// Theme, sortable and filtered tables, charts that are drawn when they come into view.
// Everything that a page says is there without this script as well.
(function () {
  "use strict";
  const root = document.documentElement;
  const place = document.currentScript.dataset.root || "";
  const KEY = "ecliptic-report-theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  function remembered() {
    try { return localStorage.getItem(KEY); } catch (error) { return null; }
  }
  function remember(theme) {
    try { localStorage.setItem(KEY, theme); } catch (error) { /* a browser without storage */ }
  }
  function applyTheme() {
    root.dataset.theme = remembered() || (system.matches ? "dark" : "light");
  }
  applyTheme();

  function setUpTheme() {
    const button = document.querySelector("[data-theme-toggle]");
    const name = () => {
      const other = root.dataset.theme === "dark" ? "Light" : "Dark";
      button.textContent = other;
      button.setAttribute("aria-label", other + " colours");
    };
    button.hidden = false;
    name();
    const change = () => { applyTheme(); name(); redraw(); };
    button.addEventListener("click", () => {
      remember(root.dataset.theme === "dark" ? "light" : "dark");
      change();
    });
    system.addEventListener("change", change);
  }

  // Tables -----------------------------------------------------------------------------------
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function keyOf(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
    const value = Number(text.replace(/[,%\s]/g, "").replace("−", "-"));
    return { text, value: text === "" ? NaN : value };
  }
  function compare(a, b) {
    const numbers = !Number.isNaN(a.value) && !Number.isNaN(b.value);
    if (numbers) return a.value - b.value;
    // What is no number comes after all numbers.
    if (!Number.isNaN(a.value)) return -1;
    if (!Number.isNaN(b.value)) return 1;
    return collator.compare(a.text, b.text);
  }
  function setUpSorting(table) {
    const heads = Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
    heads.forEach((head, column) => {
      if (head.dataset.nosort !== undefined) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const descending = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        const sign = descending ? -1 : 1;
        const body = table.tBodies[0];
        Array.from(body.rows)
          .map((row, at) => ({ row, at, key: keyOf(row, column) }))
          .sort((a, b) => sign * compare(a.key, b.key) || a.at - b.at)
          .forEach((item) => body.append(item.row));
        table.dispatchEvent(new CustomEvent("sorted"));
      });
    });
  }

  const PAGE = 200;
  function setUpFilters(form) {
    const table = document.getElementById(form.dataset.filters);
    const count = form.querySelector("[data-count]");
    const more = document.querySelector("[data-more]");
    const fields = Array.from(form.querySelectorAll("[data-column]"));
    const search = form.querySelector("[data-search]");
    let shown = PAGE;
    function apply() {
      const wanted = (search ? search.value : "").trim().toLowerCase();
      let found = 0;
      for (const row of table.tBodies[0].rows) {
        const fits = fields.every((field) => !field.value || row.dataset[field.dataset.column] === field.value)
          && (!wanted || row.textContent.toLowerCase().includes(wanted));
        found += fits ? 1 : 0;
        row.hidden = !fits || found > shown;
      }
      count.textContent = found + (found === 1 ? " attempt" : " attempts");
      if (more) more.hidden = found <= shown;
    }
    const again = () => { shown = PAGE; apply(); };
    form.addEventListener("input", again);
    form.addEventListener("submit", (event) => event.preventDefault());
    table.addEventListener("sorted", apply);
    if (more) more.addEventListener("click", () => { shown += PAGE; apply(); });
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) {
      const value = asked.get(field.dataset.column);
      if (value !== null && Array.from(field.options).some((option) => option.value === value)) field.value = value;
    }
    form.hidden = false;
    apply();
  }

  // Charts -----------------------------------------------------------------------------------
  let plotly = null;
  function loadPlotly() {
    if (plotly === null) {
      plotly = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = place + "assets/plotly.min.js";
        script.onload = () => resolve(window.Plotly);
        script.onerror = () => reject(new Error("plotly.min.js is missing"));
        document.head.append(script);
      });
    }
    return plotly;
  }
  function resolved(value, style) {
    if (typeof value === "string") {
      return value.startsWith("var(--") ? style.getPropertyValue(value.slice(4, -1)).trim() : value;
    }
    if (Array.isArray(value)) {
      // Long lists of numbers hold no colour.
      return typeof value[0] === "number" ? value : value.map((item) => resolved(item, style));
    }
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, style)]));
    }
    return value;
  }
  function layoutOf(spec, style, narrow) {
    const colour = (name) => style.getPropertyValue(name).trim();
    const axis = { gridcolor: colour("--line"), zerolinecolor: colour("--line"), linecolor: colour("--faint"),
      ticks: "outside", tickcolor: colour("--faint"), automargin: true, zeroline: false };
    const layout = resolved(spec.layout, style);
    for (const name of Object.keys(layout)) {
      if (/^[xy]axis\d*$/.test(name)) layout[name] = { ...axis, ...layout[name] };
    }
    return { xaxis: axis, yaxis: axis, showlegend: false, hovermode: "closest", dragmode: narrow ? false : "zoom",
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", font: { size: 12 } },
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: style.getPropertyValue("--text"), size: narrow ? 11 : 12.5, color: colour("--ink") },
      margin: { l: narrow ? 44 : 56, r: 12, t: 26, b: 40 }, height: undefined, autosize: true, ...layout };
  }
  const drawn = new Set();
  async function draw(element) {
    const source = document.getElementById("chart-" + element.dataset.chart);
    const library = await loadPlotly();
    const spec = JSON.parse(source.textContent);
    const style = getComputedStyle(root);
    const layout = layoutOf(spec, style, element.clientWidth < 480);
    if (!drawn.has(element)) element.replaceChildren();
    drawn.add(element);
    await library.react(element, resolved(spec.data, style), layout,
      { responsive: true, displaylogo: false, displayModeBar: false, doubleClick: "reset" });
    element.dataset.drawn = root.dataset.theme;
  }
  function redraw() { drawn.forEach((element) => draw(element)); }
  function setUpCharts() {
    const charts = document.querySelectorAll("[data-chart]");
    if (!charts.length) return;
    if (!("IntersectionObserver" in window)) { charts.forEach(draw); return; }
    const watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) { watcher.unobserve(entry.target); draw(entry.target); }
      }
    }, { rootMargin: "300px" });
    charts.forEach((chart) => watcher.observe(chart));
  }

  function setUpContents() {
    const links = new Map(Array.from(document.querySelectorAll(".contents a[href^='#']"))
      .map((link) => [link.hash.slice(1), link]));
    if (!links.size || !("IntersectionObserver" in window)) return;
    const watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        links.forEach((link) => link.removeAttribute("aria-current"));
        links.get(entry.target.id).setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-10% 0px -80% 0px" });
    links.forEach((link, id) => {
      const target = document.getElementById(id);
      if (target) watcher.observe(target);
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    setUpTheme();
    document.querySelectorAll("table[data-sortable]").forEach(setUpSorting);
    document.querySelectorAll("[data-filters]").forEach(setUpFilters);
    setUpCharts();
    setUpContents();
  });
})();
