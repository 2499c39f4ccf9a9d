/**
 * What an editor may ask for. Lines count from 1, inclusive, as they were shown; a section is named by its heading; `old` is text
 * that stands exactly once in the page, or in the section that is named.
 */
export type PageEdit =
  | { readonly tool: 'append'; readonly text: string; readonly section?: string | undefined }
  | { readonly tool: 'replace_lines'; readonly from: number; readonly to: number; readonly text: string }
  | { readonly tool: 'delete_lines'; readonly from: number; readonly to: number }
  | { readonly tool: 'replace_section'; readonly section: string; readonly text: string }
  | { readonly tool: 'replace_text'; readonly old: string; readonly text: string; readonly section?: string | undefined }
