(function () {
  var bar = document.getElementById("filter");
  var rows = Array.prototype.slice.call(document.querySelectorAll("tbody[data-outcome]"));
  if (!bar || rows.length < 2) return;
  var text = bar.querySelector("input[type=search]");
  var boxes = Array.prototype.slice.call(bar.querySelectorAll("input[type=checkbox]"));
  var shown = document.getElementById("shown");
  function apply() {
    var words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    var picked = boxes.filter(function (box) { return box.checked; }).map(function (box) { return box.value; });
    var count = 0;
    rows.forEach(function (row) {
      var hit = (!picked.length || picked.indexOf(row.dataset.outcome) >= 0) &&
        words.every(function (word) { return row.dataset.find.indexOf(word) >= 0; });
      row.hidden = !hit;
      count += hit ? 1 : 0;
    });
    shown.textContent = count === rows.length ? "all " + count + " shown" : count + " of " + rows.length + " shown";
  }
  bar.addEventListener("input", apply);
  bar.addEventListener("submit", function (event) { event.preventDefault(); });
  bar.hidden = false;
  apply();
})();
