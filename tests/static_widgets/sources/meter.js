function render({ model, el }) {
  const text = document.createElement("p");
  text.className = "meter-text";
  const draw = () => {
    text.textContent = ["level", "gain", "size", "word", "choice", "on", "top"].map((name) => `${name}=${model.get(name)}`).join(" ");
  };
  draw();
  model.on("change", draw);
  el.append(text);
  for (const [label, trait, value] of [["louder", "level", 99], ["quiet", "top", 5], ["say", "word", "<b>robot</b>"], ["blue", "choice", 2]]) {
    const button = document.createElement("button");
    button.textContent = label;
    button.onclick = () => {
      model.set(trait, value);
      model.save_changes();
    };
    el.append(button);
  }
}
// A text with every character that could end a script: </script> `${"x"}`   \ 
export default { render };
