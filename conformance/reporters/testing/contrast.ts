// Measures whether the texts of a page can be read: how much lighter or darker each is than what it stands on.

import type { Page } from "playwright-core";

/** As a browser computes it, such as `rgb(29, 31, 34)`. */
type Colour = string;

/** The colour of each text that can be seen, and of the ground that it stands on. */
export async function visibleColours(page: Page): Promise<{ text: Colour; ground: Colour; content: string }[]> {
  return await page.locator("body *").evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { getComputedStyle } = element.ownerDocument.defaultView;
      const content = [...element.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map(({ data }) => data.trim())
        .join("");
      if (content === "" || !element.checkVisibility({ visibilityProperty: true })) return [];
      let ground = element;
      while (/^rgba\(.*, 0\)$/.test(getComputedStyle(ground).backgroundColor) && ground.parentElement)
        ground = ground.parentElement;
      const style = getComputedStyle(element);
      return [
        {
          content: content,
          text: element.tagName === "text" ? style.fill : style.color,
          ground: getComputedStyle(ground).backgroundColor,
        },
      ];
    }),
  );
}

/** From 1, which is the same colour, to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

/** From 0, which is black, to 1. @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminance(colour: Colour): number {
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(colour);
  if (!parts) throw new Error(`${colour} is no colour that this test can read`);
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
