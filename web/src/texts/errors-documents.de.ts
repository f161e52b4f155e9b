/** German sentences by the code of an error: documents, sharing. */
export const documentErrors: Record<string, string> = {
  // documents
  document_not_found:
    "Dieses Dokument gibt es nicht, oder es ist nicht für Sie freigegeben. Wählen " +
    "Sie ein anderes.",
  document_gone: "Dieses Dokument wurde gelöscht.",
  document_not_readable:
    "Der Text dieses Dokuments kann nicht gelesen werden. Versuchen Sie es erneut.",
  documents_unavailable: "Hier gibt es keine Dokumente. Senden Sie den Text selbst.",
  file_field_refused:
    "Ein Feld des Uploads fehlt oder hat einen Wert, der hier nicht beachtet wird. Prüfen Sie es.",
  file_batch_not_found:
    "Dieser Vektorspeicher hat keinen solchen Stapel von Dateien, oder er ist nicht mehr vermerkt. " +
    "Zeigen Sie die Dateien des Vektorspeichers an.",
  vector_store_full:
    "Dieser Vektorspeicher hat zu viele Dateien, die in anderen Ordnern liegen oder Attribute " +
    "haben. Benutzen Sie einen anderen.",
  attributes_without_folders:
    "Attribute gehören zu Dateien in einem Ordner oder Vektorspeicher. Nennen Sie die Ordner dazu (folderIds, vector_store_ids), oder lassen Sie den Filter weg.",
  folders_or_documents:
    "Durchsucht werden Ordner oder Dokumente. Nennen Sie nur das eine oder das andere.",
  file_empty: "Diese Datei ist leer. Wählen Sie eine andere.",
  range_not_satisfiable:
    "Die Datei endet vor dem verlangten Bereich. Fordern Sie weniger an.",
  file_missing: "Der Inhalt dieser Datei fehlt im Speicher. Laden Sie sie erneut hoch.",
  file_too_large: "Diese Datei ist zu groß. Wählen Sie eine kleinere.",
  attachment_of_another:
    "Das ist ein Bild aus einer Unterhaltung von jemand anderem und nicht gelesen. Laden Sie es selbst hoch.",
  files_too_large: "Diese Dateien sind zusammen zu groß. Senden Sie weniger.",
  file_type_unsupported:
    "Diese Art von Datei kann nicht gelesen werden. Möglich sind PDF, Office, HTML, Markdown, CSV, " +
    "E-Mail, Text und Bilder.",
  file_unreadable:
    "Diese Datei ist beschädigt oder nicht das, was ihr Name sagt. Speichern Sie sie " +
    "neu.",
  file_not_readable: "Das Modell kann diese Datei nicht lesen.",
  file_damaged: "Diese Datei ist beschädigt oder unvollständig. Laden Sie sie erneut hoch.",
  file_type_not_supported: "Diese Art von Datei kann nicht gelesen werden.",
  invalid_pdf:
    "Diese Datei lässt sich nicht als PDF lesen: Sie ist beschädigt oder unvollständig.",
  pages_not_shown:
    "Nur die Seiten von PDF-Dateien lassen sich zeigen, wie sie aussehen. Lesen Sie den Text dieses Dokuments.",
  page_not_found: "Diese Seite hat die Datei nicht. Wählen Sie eine andere.",
  too_many_pages:
    "In kurzer Zeit wurden zu viele Seiten geöffnet. Warten Sie einen Moment, dann versuchen Sie es erneut.",
  no_pages: "Diese Datei hat keine Seiten.",
  unsupported_encryption:
    "Diese Datei ist auf eine Art verschlüsselt, die nicht gelesen werden kann. Speichern Sie sie " +
    "ohne Kennwort und laden Sie sie erneut hoch.",
  file_encrypted:
    "Diese Datei ist durch ein Kennwort geschützt. Geben Sie es an, oder speichern Sie sie ohne " +
    "und laden Sie sie erneut hoch.",
  password_required: "Diese Datei ist durch ein Kennwort geschützt. Geben Sie es an.",
  wrong_password: "Dieses Kennwort öffnet die Datei nicht. Prüfen Sie es.",
  file_password_invalid: "Ein Kennwort hat höchstens 255 Zeichen.",
  no_text_found:
    "In dieser Datei ist kein Text. Ist sie ein Bild, fragen Sie die Administration nach Texterkennung (OCR).",
  image_too_large: "Dieses Bild ist zu groß.",
  image_type_unsupported: "Diese Art von Bild kann nicht gelesen werden.",
  no_model_sees: "Kein Modell hier kann Bilder sehen.",
  too_many_documents: "Sie haben die größte Zahl an Dokumenten. Löschen Sie zuerst einige.",
  quota_exceeded: "Mit dieser Datei wäre Ihr Speicher voll. Löschen Sie zuerst einige.",
  upload_as_invalid:
    "Eine Datei wird als Dokument oder als Anhang hochgeladen, und ein Anhang liegt in keinem Ordner.",
  upload_invalid: "Die Datei kam nicht richtig an. Laden Sie sie erneut hoch.",
  already_in_work:
    "Das Dokument wird gerade gelesen. Warten Sie, oder halten Sie es zuerst an.",
  not_in_work: "Das ist nicht mehr in Arbeit. Laden Sie die Seite neu.",
  not_failed:
    "Nur ein fehlgeschlagenes Dokument kann übersprungen werden. Laden Sie es neu.",
  processing_lost: "Das Lesen wurde mehrmals unterbrochen. Versuchen Sie es erneut.",
  parsing_timeout: "Das Lesen dieser Datei dauerte zu lange.",
  parser_crashed:
    "Diese Datei hat das Lesen zum Absturz gebracht. Wahrscheinlich ist sie " +
    "beschädigt. Speichern Sie sie neu.",
  parser_timeout: "Das Lesen dieser Datei dauerte zu lange.",
  parsers_unavailable:
    "Gerade kann keine Datei gelesen werden. Versuchen Sie es gleich erneut.",
  chunks_too_large:
    "Diese Größen ergeben zu viele Abschnitte. Wählen Sie größere oder eine kleinere Überlappung.",
  text_too_large: "Der Text ist zu lang. Teilen Sie das Dokument.",
  folder_not_found: "Diesen Ordner gibt es nicht. Wählen Sie einen anderen.",
  folder_not_empty:
    "Der Ordner ist nicht leer. Verschieben oder löschen Sie zuerst seinen Inhalt.",
  folder_cycle: "Ein Ordner kann nicht in sich selbst liegen. Wählen Sie einen anderen.",
  folders_too_deep: "So tief können Ordner nicht liegen. Wählen Sie einen höheren.",
  folder_too_deep: "So tief können Ordner nicht liegen. Wählen Sie einen höheren.",
  groups_too_deep:
    "So viele Gruppen können eine Gruppe nicht enthalten. Verschachteln Sie weniger Gruppen.",
  too_many_groups:
    "Ihre Organisation hat die größte Zahl an Gruppen. Löschen Sie zuerst einige.",
  too_many_members:
    "Diese Gruppe hat die größte Zahl an Mitgliedern. Nehmen Sie stattdessen Gruppen in sie auf.",
  too_many_groups_of_user:
    "Diese Person ist in der größten Zahl an Gruppen. Entfernen Sie sie zuerst aus einer.",
  too_many_folders: "Sie haben die größte Zahl an Ordnern. Löschen Sie zuerst einen.",
  overlap_too_large: "Die Überlappung muss kleiner sein als der Abschnitt.",
  embedding_unavailable: "Die Vorschau braucht einen Dienst, der gerade nicht läuft.",
  embedding_timeout: "Das Suchmodell hat nicht rechtzeitig geantwortet.",
  embedding_unreachable: "Das Suchmodell ist nicht erreichbar.",
  deleted: "Das Dokument wurde gelöscht.",
  stopped: "Das wurde angehalten.",
  cancelled: "Das wurde abgebrochen.",

  // sharing
  share_not_found: "Diese Freigabe gibt es nicht. Laden Sie die Liste neu.",
  subject_not_found: "Diese Person oder Gruppe gibt es hier nicht. Wählen Sie eine andere.",
  resource_not_found:
    "Das gibt es nicht mehr, oder es ist nicht für Sie freigegeben. Laden Sie die " +
    "Seite neu.",
  too_many_shares:
    "So oft kann etwas nicht freigegeben werden. Geben Sie es einer Gruppe frei.",
  label_not_found: "Diese Kennzeichnung gibt es nicht mehr. Laden Sie die Seite neu.",
  label_name_taken:
    "Eine Kennzeichnung dieses Namens gibt es schon. Wählen Sie einen anderen Namen.",
  label_group_unknown:
    "Eine Gruppe der Regel gibt es in dieser Organisation nicht. Wählen Sie andere.",
  too_many_labels: "Mehr Kennzeichnungen sind nicht möglich. Löschen Sie zuerst eine.",
  label_not_yours:
    "Kennzeichnen können nur, wem etwas gehört, und die Administration. Bitten Sie sie darum.",
  label_removal_refused:
    "Diese Kennzeichnung nimmt hier nur die Administration ab. Bitten Sie sie darum.",
  label_forbids_sharing:
    "Eine Kennzeichnung lässt diese Freigabe nicht zu. Geben Sie es einer der Gruppen ihrer Regel frei.",
  label_shared_outside:
    "Eine Kennzeichnung lässt nicht zu, wie dies freigegeben ist. Nehmen Sie das zuerst zurück.",
  label_forbids_export:
    "Eine Kennzeichnung lässt den Export nur für Gruppen zu, in denen Sie nicht sind.",
  label_forbids_provider:
    "Eine Kennzeichnung lässt diesen Anbieter das nicht lesen. Wählen Sie ein anderes Modell.",
  label_forbids_flow:
    "Eine Kennzeichnung lässt einen Ablauf das nicht lesen. Wählen Sie einen anderen Agenten.",
  logo_too_large: "Das Logo ist zu groß. Verkleinern Sie das Bild auf höchstens 200 kB.",
  logo_unreadable: "Ein Logo ist ein Bild in PNG, JPEG oder WebP. Wählen Sie ein solches.",
  logo_not_found: "Diese Installation hat kein Logo.",
  group_cycle: "Diese Gruppe enthält die andere bereits. Wählen Sie eine andere Gruppe.",
  role_in_use_by_groups: "Gruppen haben diese Rolle noch. Nehmen Sie sie ihnen zuerst weg.",
  role_too_strong:
    "Die Rolle erlaubt mehr als Ihre eigenen. Bitten Sie jemanden, der das alles darf.",
  role_forbids:
    "Die Rolle verbietet, was auch Ihre eigenen nicht erlauben. Bitten Sie jemanden, der das darf.",
  user_too_strong:
    "Diese Person darf mehr verwalten als Sie. Bitten Sie jemanden, der das alles darf.",
  beyond_own_roles:
    "Das zeigt, was Ihre eigenen Rollen nicht erlauben. Bitten Sie jemanden, der das darf.",
  confirmation_required:
    "Bestätigen Sie zuerst, dass Sie es sind: Melden Sie sich noch einmal an.",
  sign_in_not_fresh:
    "Der Anmeldedienst hat Sie nicht erneut gefragt. Melden Sie sich dort ab und dann wieder an.",
  role_in_use: "Diese Rolle ist noch vergeben. Nehmen Sie sie zuerst allen weg.",
  role_exists: "Eine Rolle dieses Namens gibt es schon. Wählen Sie einen anderen Namen.",
  group_name_taken:
    "Eine Gruppe dieses Namens gibt es schon. Wählen Sie einen anderen Namen.",
  transfer_target_invalid:
    "An diese Person lässt sich nichts übertragen. Wählen Sie eine aktive Person der Organisation.",
  locked: "Jemand bearbeitet das gerade. Versuchen Sie es später.",
  lock_lost: "Ihre Sperre ist abgelaufen. Laden Sie neu und ändern Sie noch einmal.",
  lock_not_yours: "Jemand anders hält diese Sperre.",
  not_locked: "Niemand hält diese Sperre.",
  group_not_found: "Diese Gruppe gibt es nicht. Laden Sie die Liste neu.",
  group_empty: "In dieser Gruppe ist niemand. Wählen Sie eine andere.",
  others_access: "Sie dürfen nur den eigenen Zugang prüfen. Fragen Sie die Administration.",
  too_many_tags: "So viele Schlagwörter sind nicht möglich. Entfernen Sie zuerst eines.",
  too_many_marks: "So viele Markierungen sind nicht möglich. Entfernen Sie zuerst eine.",
};
