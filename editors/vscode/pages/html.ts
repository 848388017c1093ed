// Elements of a page, without a library and without HTML from a string.

type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[Tag]>;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** The little Markdown of the server's descriptions: lists, strong words and code. */
export function markdown(text: string): HTMLElement {
  const root = element("div", { className: "text" });
  let list: HTMLElement | undefined;
  for (const line of text.split("\n")) {
    const item = /^\s*- (.*)/.exec(line)?.[1];
    if (item !== undefined) {
      if (!list) root.append((list = element("ul")));
      list.append(element("li", {}, ...inline(item)));
    } else {
      list = undefined;
      if (line.trim()) root.append(element("p", {}, ...inline(line)));
    }
  }
  return root;
}

function inline(text: string): (Node | string)[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
    return part.startsWith("`") ? element("code", {}, part.slice(1, -1)) : part;
  });
}
