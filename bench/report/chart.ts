import { type Figures, isReference } from './figures.ts'

const WIDTH = 860
const LABELS = 290
const BAR = 15
const ROW = 21
const HEAD = 44
const SCALE = WIDTH - LABELS - 110

/** Light and dark by system preference; text stays text, so that it can be searched and read aloud. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2933 } .head { font-weight: 600; font-size: 14px } .faint { fill: #6b7785 }
  .floor { fill: #b8c2cc } .bare { fill: #8795a1 } .empty { fill: #1f7a6d } .filled { fill: #d9822b } .workers { fill: #6a5acd }
  @media (prefers-color-scheme: dark) { text { fill: #e4e9ee } .faint { fill: #9aa5b1 } .floor { fill: #52606d } .empty { fill: #3fb8a6 } }`

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign)

type Panel = { title: string; bars: Figures[] }

/** Rates as bars: clicks next to the floor, and the calls and pages that are one transaction or query each. */
export const chartOf = (figures: Figures[], subtitle: string) => {
  const isClick = ({ scenario }: Figures) => scenario.startsWith('click:')
  const isPaced = ({ scenario }: Figures) => scenario.includes('half load')
  const clicks = figures.filter(isClick)
  /** The first of each: the floor is measured again for other calls. */
  const referencesAt = (connections: number) =>
    (['floor', 'bare'] as const).flatMap(
      (place) => figures.find((one) => one.place === place && one.connections === connections && !isPaced(one)) ?? [],
    )
  const panels: Panel[] = [
    ...[...new Set(clicks.map(({ connections }) => connections))].map((connections) => ({
      title: `Clicks per second, ${connections} connections`,
      bars: [...referencesAt(connections), ...clicks.filter((one) => one.connections === connections)],
    })),
    {
      title: 'Leads, sales, webhooks and pages per second',
      bars: figures.filter((one) => !isReference(one.place) && !isClick(one) && !isPaced(one)),
    },
  ].filter(({ bars }) => bars.length > 0)
  let top = HEAD
  const drawn = panels.map((panel) => {
    const { text, height } = drawPanel(panel, top)
    top += height
    return text
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" aria-label="Results of npm run bench">`,
    `<style>${STYLE}</style>`,
    `<text x="0" y="16" class="faint">${escaped(subtitle)}</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

const drawPanel = ({ title, bars }: Panel, top: number) => {
  const most = Math.max(...bars.map(({ perSecond }) => perSecond))
  const rows = bars.map(({ scenario, place, perSecond }, index) => {
    const y = top + 12 + index * ROW
    const width = Math.max(1, Math.round((perSecond / most) * SCALE))
    const label = isReference(place) ? scenario : `${scenario.replace(/^click: /, '')} (${place})`
    return [
      `<text x="${LABELS - 8}" y="${y + 12}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${LABELS}" y="${y}" width="${width}" height="${BAR}" rx="2" class="${place}"/>`,
      `<text x="${LABELS + width + 6}" y="${y + 12}" class="faint">${Math.round(perSecond).toLocaleString('en')}</text>`,
    ].join('')
  })
  return {
    text: [`<text x="0" y="${top}" class="head">${escaped(title)}</text>`, ...rows].join('\n'),
    height: 12 + bars.length * ROW + 34,
  }
}
