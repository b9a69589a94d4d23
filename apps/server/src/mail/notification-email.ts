import { textColorOn } from '@tributary/contract/accent-color'
import { html, markupOf } from '../html.ts'
import { type Email, oneLine } from './emails.ts'
import type { ProgramSender } from './program-emails.ts'

type Content = {
  title: string
  lines: string[]
  action: { label: string; url: string }
  sender: ProgramSender
  /** Null in a preview. */
  unsubscribeUrl: string | null
  settingsUrl: string
}

/** The dashboard's. */
const ACCENT = '#0e7490'
const FONT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

/** A notification as plain text and HTML. The logo is part of the email, so opening it loads nothing. */
export const notificationEmail = (content: Content): Email => {
  const { sender, action, unsubscribeUrl, settingsUrl } = content
  const title = oneLine(content.title)
  const lines = content.lines.map(oneLine)
  const programName = oneLine(sender.programName)
  const questions = sender.supportEmail ? `Questions? Write to ${sender.supportEmail}.` : null
  const footer = [`Sent by ${programName}.`, ...(questions ? [questions] : [])].join(' ')
  const text = [
    ...[title, ...lines, `${action.label}:\n${action.url}`],
    ...[footer, `Notification settings: ${settingsUrl}`],
    ...(unsubscribeUrl ? [`Unsubscribe from these emails: ${unsubscribeUrl}`] : []),
  ].join('\n\n')
  return {
    subject: title.includes(programName) ? title : `${programName}: ${title}`,
    text: `${text}\n`,
    html: layout({ ...content, title, lines, footer, programName }),
    ...(sender.logo && {
      attachments: [
        { cid: 'logo', filename: 'logo', content: Buffer.from(sender.logo.bytes), contentType: sender.logo.type },
      ],
    }),
    ...(unsubscribeUrl && {
      headers: {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
  }
}

type Layout = Content & { footer: string; programName: string }

/** Tables and inline styles, because mail programs ignore the rest. Text has no color of its own, so dark mode can choose one. */
const layout = ({ title, lines, action, sender, footer, programName, unsubscribeUrl, settingsUrl }: Layout) => {
  const accent = sender.accentColor ?? ACCENT
  const logo = sender.logo
    ? html`<tr><td style="padding:0 0 16px"><img src="cid:logo" alt="${programName}" height="40" style="height:40px;border:0"></td></tr>`
    : null
  const unsubscribe = unsubscribeUrl ? html` · <a href="${unsubscribeUrl}" style="color:inherit">Unsubscribe</a>` : null
  const body = html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left;${FONT};font-size:16px;line-height:24px">
${logo}
<tr><td style="padding:0 0 12px"><h1 style="margin:0;font-size:20px;line-height:28px">${title}</h1></td></tr>
${lines.map((line) => html`<tr><td style="padding:0 0 12px">${line}</td></tr>`)}
<tr><td style="padding:8px 0 24px"><a href="${action.url}" style="display:inline-block;padding:10px 16px;border-radius:6px;text-decoration:none;font-weight:600;background:${accent};color:${textColorOn(accent)}">${action.label}</a></td></tr>
<tr><td style="padding:16px 0 0;border-top:1px solid #8888;font-size:13px;line-height:20px">${footer}<br><a href="${settingsUrl}" style="color:inherit">Notification settings</a>${unsubscribe}</td></tr>
</table></td></tr></table>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">${markupOf(html`<title>${title}</title>`)}</head><body style="margin:0">${markupOf(body)}</body></html>`
}
