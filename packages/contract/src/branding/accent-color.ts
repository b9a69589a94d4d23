/** Relative luminance as WCAG defines it, from 0 (black) to 1 (white). */
const luminanceOf = (color: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Black or white, whichever is easier to read on a color. The contrast is always at least 4.5:1. */
export const textColorOn = (color: string) => {
  const luminance = luminanceOf(color)
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000'
}
