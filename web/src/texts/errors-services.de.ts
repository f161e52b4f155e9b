/** German sentences by the code of an error: models, tools, flows, parsing, embedding. */
export const serviceErrors: Record<string, string> = {
  // models
  provider_not_found: "Diesen Anbieter gibt es nicht.",
  provider_cut:
    "Die Verbindung zum Anbieter brach mitten in der Antwort ab. Versuchen Sie es erneut.",
  provider_filtered:
    "Der Inhaltsfilter des Anbieters lehnt die Anfrage ab. Fragen Sie mit anderen Worten, oder wählen Sie ein anderes Modell.",
  provider_input_too_long:
    "Die Unterhaltung ist zu lang für das Modell. Beginnen Sie eine neue, oder wählen Sie ein Modell mit größerem Kontext.",
  provider_no_credit:
    "Das Konto beim Anbieter hat kein Guthaben mehr. Bitten Sie Ihre Administration, die Abrechnung zu prüfen, oder wählen Sie ein anderes Modell.",
  provider_without_tools:
    "Das Modell kann keine Werkzeuge benutzen. Wählen Sie ein anderes, oder fragen Sie ohne Werkzeuge.",
  provider_without_images:
    "Das Modell kann keine Bilder lesen. Wählen Sie ein anderes, oder fragen Sie ohne Bilder.",
  provider_without_files:
    "Das Modell nimmt diese Datei nicht, wie sie ist: nicht diese Art, nicht diese Größe oder nicht so viele Seiten. Wählen Sie ein anderes, oder senden Sie ihren Text.",
  file_unsupported:
    "Dieses Modell nimmt die Datei nicht, wie sie ist. Senden Sie ihren Text, oder wählen Sie ein anderes Modell.",
  audio_unsupported:
    "Dieses Modell hört keine Aufnahmen, und kein Modell schreibt sie auf. Wählen Sie eines, das hört, oder senden Sie den Text.",
  provider_output_limit:
    "So viel auf einmal kann das Modell nicht ausgeben. Bitten Sie Ihre Administration, seine größte Ausgabe im Katalog einzutragen.",
  provider_misconfigured:
    "Eine Einstellung des Anbieters fehlt oder ist falsch. Korrigieren Sie sie unter Modelle → Anbieter, oder bitten Sie Ihre Administration darum.",
  provider_model_unknown:
    "Der Anbieter kennt dieses Modell nicht. Prüfen Sie den Namen unter Modelle, oder bitten Sie Ihre Administration darum.",
  provider_rate_limited:
    "Der Anbieter nimmt gerade keine Anfragen mehr an. Warten Sie kurz, und versuchen Sie es erneut.",
  provider_refused_request:
    "Der Anbieter lehnt die Anfrage ab. Vielleicht ist sie zu lang. Wählen Sie ein anderes Modell, oder fragen Sie nach weniger.",
  provider_reply_too_long:
    "Die Antwort ist zu lang. Fragen Sie nach weniger, oder wählen Sie ein anderes Modell.",
  reply_empty:
    "Die Antwort endete ohne Text. Versuchen Sie es erneut, oder wählen Sie ein anderes Modell.",
  reply_not_in_format:
    "Das Modell antwortete nicht im verlangten Format. Versuchen Sie es erneut, oder wählen Sie ein anderes Modell.",
  reply_timeout:
    "Die Antwort dauerte zu lange. Fragen Sie nach weniger, oder wählen Sie ein anderes Modell.",
  available_model_not_found: "Dieses Modell steht nicht im Katalog.",
  option_unsupported:
    "Der Anbieter dieses Modells kennt eine der Einstellungen nicht. Lassen Sie sie weg, oder wählen Sie ein anderes Modell.",
  response_not_found: "Diese gespeicherte Antwort gibt es nicht mehr.",
  conversation_items_unsupported:
    "Eine Unterhaltung beginnt mit Nachrichten ihrer Person und Antworten darauf, als Text.",
  conversation_has_settings:
    "Eine Unterhaltung antwortet mit ihren eigenen Nachrichten, Einstellungen und Werkzeugen. Lassen Sie diese weg.",
  conversation_takes_text:
    "Eine Unterhaltung nimmt Nachrichten ihres Benutzers an, mit Text und Dateien, die als Text gelesen werden.",
  response_not_in_background:
    "Diese Antwort wird nicht im Hintergrund erzeugt. Sie endet, wenn ihr Programm geht.",
  too_many_background_responses:
    "So viele Antworten von Ihnen werden schon im Hintergrund erzeugt. Warten Sie, bis eine endet, oder brechen Sie eine ab.",
  previous_response_not_found:
    "Eine der Antworten davor ist nicht mehr gespeichert. Senden Sie die ganze Unterhaltung.",
  conversation_too_long:
    "Die Antworten davor sind zusammen zu lang. Senden Sie, was noch von Belang ist.",
  item_not_found:
    "Keine gespeicherte Antwort enthält diesen Eintrag. Senden Sie ihn selbst.",
  input_missing: "Es gibt nichts zu beantworten. Senden Sie eine Eingabe.",
  document_unsupported:
    "So wird eine Datei hier nicht gelesen. Senden Sie die Datei selbst, oder laden Sie sie unter Dokumente hoch.",
  given_file_missing:
    "Eine Datei in einer Nachricht wird in Base64 gesendet oder durch die Kennung einer hochgeladenen genannt.",
  given_file_too_large:
    "Diese Datei ist für eine Nachricht zu lang. Senden Sie einen Teil, oder laden Sie sie unter Dokumente hoch.",
  too_many_given_files:
    "Die Nachrichten einer Anfrage haben zu viele Dateien. Lassen Sie einige weg.",
  file_not_readable_here:
    "Hier läuft kein Dienst, der diese Datei liest. Senden Sie ihren Text.",
  tool_arguments_unreadable:
    "Das Modell hat ein Werkzeug mit unlesbaren Angaben aufgerufen. Fragen Sie noch einmal.",
  image_invalid:
    "Senden Sie ein Bild als data:-Adresse in Base64 oder als Adresse mit http.",
  image_unusable:
    "Dieses Bild ist unbrauchbar. Nehmen Sie eine andere Adresse oder senden Sie es selbst.",
  too_many_images: "So viele Bilder sind nicht möglich. Senden Sie weniger.",
  output_too_long:
    "Das Modell hörte vor dem Ende auf. Nehmen Sie eines, das mehr ausgeben darf.",
  summary_empty:
    "Das Modell lieferte keine Zusammenfassung. Wählen Sie ein anderes, wenn es so bleibt.",
  summary_too_long: "Das Modell hat den Text nicht gekürzt. Nehmen Sie ein anderes.",
  title_empty: "Das Modell lieferte keinen Titel. Benennen Sie die Unterhaltung selbst.",

  // tools
  tool_arguments_invalid: "Die Werte für das Werkzeug passen nicht zu ihm. Ändern Sie sie.",
  tool_arguments_unchecked:
    "Das Werkzeug lief nicht: Es könnte etwas zerstören, und seine Werte lassen sich nicht prüfen. " +
    "Fragen Sie die Administration.",
  checks_too_slow:
    "Mehrere Prüfungen von Werten dauerten zu lang. Versuchen Sie es in 10 Minuten erneut.",
  tool_choice_unknown:
    "Das gewählte Werkzeug ist nicht unter den angebotenen. Wählen Sie ein anderes.",
  tool_not_allowed: "Ein Werkzeug dieses Namens haben Sie nicht dauerhaft erlaubt.",
  approval_needed:
    "Ein Werkzeug braucht Ihre Zustimmung. Fragen Sie in einer Unterhaltung.",
  tool_session_ended:
    "Die Antwort, die dieses Werkzeug benutzt, ist zu Ende. Fragen Sie erneut.",
  tool_result_too_large:
    "Die Antwort des Werkzeugservers ist zu groß. Fragen Sie ihn nach weniger.",
  tool_server_busy: "Der Werkzeugserver ist ausgelastet. Versuchen Sie es gleich erneut.",
  tool_sign_in_unreachable:
    "Die Anmeldung des Werkzeugservers antwortet nicht. Versuchen Sie es erneut, oder fragen Sie den Betreiber.",
  tool_sign_in_failed:
    "Die Anmeldung beim Werkzeugserver wurde abgewiesen. Verbinden Sie erneut, oder fragen Sie den Betreiber.",
  tool_sign_in_needs_client:
    "Die Anmeldung des Werkzeugservers kennt Parlance erst, wenn es dort von Hand registriert ist. Tragen Sie die Client-ID beim Werkzeugserver ein.",
  tool_sign_in_registration:
    "Die Anmeldung des Werkzeugservers lehnt es ab, Parlance zu registrieren. Registrieren Sie es dort von Hand, und tragen Sie die Client-ID ein.",
  tool_sign_in_other_issuer:
    "Der Werkzeugserver nennt eine andere Anmeldung als die, bei der seine Client-ID benutzt wird. Fragen Sie den Betreiber.",
  tool_sign_in_mismatch:
    "Die Anmeldung des Werkzeugservers ist nicht seine eigene. Fragen Sie den Betreiber.",
  tool_sign_in_unknown:
    "Die Anmeldung des Werkzeugservers nennt ihre Adressen nicht. Fragen Sie den Betreiber.",
  tool_sign_in_without_pkce:
    "Die Anmeldung des Werkzeugservers sagt nicht, dass sie PKCE (S256) kennt. Fragen Sie den Betreiber.",
  tool_sign_in_unencrypted:
    "Die Anmeldung des Werkzeugservers hat eine Adresse ohne https. Fragen Sie den Betreiber.",
  tool_sign_in_unknown_state:
    "Diese Anmeldung haben nicht Sie begonnen, sie ist beendet oder älter als zehn Minuten. Verbinden Sie erneut.",
  tool_sign_in_wrong_issuer:
    "Ein anderer Server hat geantwortet als der gefragte. Es wurde nichts gespeichert. Verbinden Sie erneut, oder fragen Sie den Betreiber des Werkzeugservers.",
  tool_sign_in_denied:
    "Die Anmeldung wurde nicht gewährt. Verbinden Sie erneut, wenn Sie die Werkzeuge verwenden möchten.",
  tool_sign_in_needed:
    "Der Werkzeugserver braucht Ihr Konto dort. Verbinden Sie es in den Einstellungen, und versuchen Sie es dann erneut.",
  tool_sign_in_limited:
    "So oft können Sie keine Verbindung beginnen. Versuchen Sie es später erneut.",
  tool_sign_in_busy:
    "Ihre Anmeldung beim Werkzeugserver wird gerade erneuert. Versuchen Sie es gleich erneut.",
  tool_server_sign_in_values:
    "Seine Kopfzeilen sagen, wer fragt. Verbinden Sie ihn: Mit Ihren Werten wird seine Werkzeugliste gelesen, und seine Werkzeuge werden mit denen jedes Benutzers aufgerufen.",
  tool_header_without_email:
    "Der Werkzeugserver will bei jedem Aufruf Ihre E-Mail-Adresse, und hier ist keine bekannt. Fragen Sie die Administration.",
  tool_values_unknown:
    "Nach diesem Wert fragt der Werkzeugserver nicht. Laden Sie die Seite neu.",
  tool_server_sign_in:
    "Er verlangt eine Anmeldung (OAuth). Verbinden Sie ihn: Mit Ihrem Konto dort wird seine Werkzeugliste gelesen, und seine Werkzeuge werden mit dem Konto jedes Benutzers aufgerufen.",
  tool_server_redirects:
    "Der Werkzeugserver leitet weiter, etwa zu einer Anmeldeseite. Tragen Sie die Adresse ein, zu der er führt.",
  tool_server_refused:
    "Der Werkzeugserver weist die Anmeldung ab. Fragen Sie seinen Betreiber.",
  tool_server_exists:
    "Einen Werkzeugserver dieses Namens gibt es schon. Wählen Sie einen anderen.",
  view_not_found:
    "Kein Werkzeug, das Sie verwenden dürfen, zeigt sein Ergebnis in dieser Ansicht. Rufen Sie das Werkzeug erneut auf.",
  view_invalid:
    "Der Werkzeugserver antwortet nicht mit einer Seite von höchstens 3 MB für diese Ansicht. Fragen Sie dessen Betrieb.",
  view_resource_not_found:
    "Der Werkzeugserver hat keine solche Ressource, die Sie lesen dürfen. Rufen Sie das Werkzeug erneut auf.",
  view_resource_invalid:
    "Der Werkzeugserver antwortet nicht mit einer Ressource von höchstens 3 MB. Fragen Sie dessen Betrieb.",
  tool_not_chosen:
    "Dieses Werkzeug wurde für diesen Schlüssel oder dieses Programm nicht gewählt. Nehmen Sie einen Schlüssel, der es hat, oder verbinden Sie das Programm erneut.",
  tool_server_not_found: "Diesen Werkzeugserver gibt es nicht.",
  tool_servers_invalid:
    "Die Datei der Werkzeugserver ist fehlerhaft. Die Administration muss sie prüfen.",
  tool_not_withheld: "Kein Werkzeug dieses Namens wartet auf eine Prüfung.",
  tool_changed_again:
    "Das Werkzeug hat sich nach Ihrer Prüfung wieder geändert. Prüfen Sie es erneut.",

  // flows
  flow_account_exists: "Diese Person hat schon ein Konto für Abläufe.",
  flow_account_not_found:
    "Diese Person hat noch kein Konto für Abläufe. Ihr erster Ablauf legt eines an.",
  flow_invalid:
    "Der Anbieter der Abläufe nimmt diesen Ablauf nicht. Senden Sie ihn, wie er ihn exportiert.",
  flow_cut: "Der Ablauf brach mitten im Lauf ab. Versuchen Sie es erneut.",
  flow_takes_no_files: "Dieser Ablauf liest keine Dateien. Senden Sie nur Text.",
  flow_input_refused: "Der Anbieter der Abläufe lehnt diese Eingabe ab. Ändern Sie sie.",
  flow_revoked: "Ihr Recht an diesem Ablauf wurde entzogen.",
  tweaks_not_permitted:
    "Nur der Eigentümer eines Ablaufs darf seine Einstellungen für einen Lauf ändern.",
  provider_admin_key_refused:
    "Der Anbieter der Abläufe weist den Schlüssel der Administration ab.",
  provider_account_taken:
    "Beim Anbieter der Abläufe gehört dieser Name jemand anderem. Fragen Sie die Administration.",
  account_busy:
    "Ihr Konto für Abläufe wird gerade angelegt. Versuchen Sie es gleich erneut.",

  // parts of the server
  part_silent: "Antwortet nicht.",
  last_call_failed: "Der letzte Aufruf ist gescheitert.",
  tool_servers_down: "Einige Werkzeugserver sind nicht erreichbar.",
  memory_short: "Der freie Speicher reicht nicht für eine Datei.",
  disk_nearly_full: "Die Platte ist fast voll: Dateien werden nicht angenommen.",
  files_wait: "Viele Dateien warten darauf, gelesen zu werden.",
  isolation_whole: "Die Prozesse, die Dateien lesen, sind ganz abgeschottet.",
  isolation_partial:
    "Die Prozesse, die Dateien lesen, sind nicht ganz abgeschottet. Installieren Sie bubblewrap.",
  setting_missing: "Eine Einstellung fehlt.",
  command_missing: "Das Programm ist nicht installiert.",
  command_fails: "Das Programm läuft nicht.",
  languages_missing: "Dem Programm fehlen die Daten der Sprachen.",

  // parsing
  parser_failed: "Der Leser dieser Datei ist fehlgeschlagen. Versuchen Sie es erneut.",
  parser_busy: "Der Leser dieser Datei ist ausgelastet. Versuchen Sie es gleich erneut.",
  parser_unavailable:
    "Der Leser dieser Datei läuft gerade nicht. Versuchen Sie es gleich erneut.",
  parser_unreachable:
    "Der Leser dieser Datei ist nicht erreichbar. Versuchen Sie es gleich erneut.",
  parser_refused:
    "Der Leser weist seinen Schlüssel ab. Die Administration muss ihn prüfen.",
  parser_answer_invalid: "Der Leser antwortete in einer unbekannten Form.",
  file_refused: "Der Leser kann diese Datei nicht lesen.",
  not_parsed_yet: "Das Dokument ist noch nicht gelesen. Warten Sie einen Moment.",
  job_not_found:
    "Diesen Auftrag gibt es nicht. Aufträge werden einen Tag nach ihrem Ende " +
    "gelöscht: Senden Sie die Datei erneut.",
  too_many_jobs:
    "Sie haben zu viele offene Aufträge. Warten Sie auf einige, oder brechen Sie welche ab.",
  ocr_failed: "Die Texterkennung konnte das Bild nicht lesen.",
  attempt_over:
    "Das Dokument wurde angehalten, oder ein neuer Versuch hat begonnen. Laden Sie " +
    "es neu.",

  // embedding and search
  embedding_absent: "Der Dienst des Suchmodells läuft hier nicht.",
  embedding_busy: "Das Suchmodell ist ausgelastet. Versuchen Sie es gleich erneut.",
  embedding_invalid:
    "Das Suchmodell antwortete in einer unbekannten Form. Prüfen Sie Art und Adresse.",
  embedding_mismatch:
    "Der Index stammt von einem anderen Suchmodell. Die Frage braucht dasselbe.",
  vectors_not_ready:
    "Die Vektoren der Dokumente werden gerade gelesen. Fragen Sie in einer Minute erneut.",
  embedding_dimensions_wrong:
    "Das Suchmodell liefert andere Vektoren als eingestellt. Die Administration muss seine Dimensionen (EMBEDDING_DIMENSIONS) anpassen.",
  dimensions_fixed:
    "Die Vektoren dieses Modells haben eine feste Länge. Lassen Sie „dimensions“ weg.",
  tokens_unknown:
    "Eine der Zahlen ist kein Token eines Textes in cl100k_base. Senden Sie Texte.",
  too_many_vectors:
    "Das sind zu viele Vektoren für eine Antwort. Senden Sie weniger Texte.",
  embedding_dimensions_too_many:
    "Die Vektoren dieses Modells sind zu lang. Wählen Sie ein anderes, oder geben Sie im Katalog weniger Dimensionen an, falls es sie kürzen kann.",
  embedding_model_not_found:
    "Dieses Suchmodell gibt es im Katalog nicht, oder es ist aus. Wählen Sie ein anderes.",
  embedding_model_gone:
    "Das gewählte Suchmodell ist nicht mehr im Katalog. Schalten Sie es und seinen Anbieter ein, wählen Sie ein anderes, oder brechen Sie den Wechsel ab.",
  embedding_change_absent: "Das Suchmodell wird gerade nicht gewechselt.",
  embedding_former_unreachable:
    "Das bisherige Suchmodell ist nicht mehr erreichbar, darum muss der Wechsel weitergehen. Wählen Sie stattdessen ein anderes Modell.",
  embedding_rate_limited: "Das Suchmodell bittet um eine Pause. Versuchen Sie es später.",
  embedding_failed:
    "Das Suchmodell antwortet mit einem Fehler. Die Administration muss Namen und Adresse prüfen (EMBEDDING_MODEL, EMBEDDING_BASE_URL).",
  embedding_refused:
    "Das Suchmodell weist den Schlüssel ab. Die Administration muss EMBEDDING_API_KEY oder den Schlüssel des Anbieters prüfen.",
  embedding_refuses_all:
    "Das Suchmodell weist jeden Text ab. Die Administration muss prüfen, ob es Texte einbettet und wie lang sie sein dürfen.",
  embedding_too_large:
    "Ein Text ist zu lang für das Suchmodell. Schneiden Sie ihn kleiner.",
  embedding_model_unreachable:
    "Das Suchmodell, das den Index gemacht hat, ist nicht mehr erreichbar. Die Administration muss es einschalten oder ein anderes wählen.",
  model_unavailable:
    "Kein Modell kann die Treffer ordnen. Die Administration kann eines einstellen.",
  reranker_failed:
    "Das Ordnen der Treffer ist fehlgeschlagen; die Reihenfolge bleibt. Versuchen Sie es erneut.",
  reranker_empty:
    "Die Antwort des Rerankers bewertet keinen Treffer; die Reihenfolge bleibt. Prüfen Sie seinen Server.",
  reranker_incomplete:
    "Der Reranker hat nicht alle Treffer bewertet; die übrigen stehen hinten. Prüfen Sie seinen Server.",
  reranker_missing:
    "Zum Ordnen der Treffer ist nichts eingestellt (RERANKER_SERVICE_URL); die Reihenfolge bleibt.",
  reranking_model_missing:
    "Zum Ordnen der Treffer läuft hier kein Modell; die Reihenfolge bleibt.",
  reranking_model_invalid:
    "Das Modell hat die Treffer nicht geordnet; die Reihenfolge bleibt.",
  reranking_model_failed:
    "Das Modell, das die Treffer ordnet, ist ausgefallen; die Reihenfolge bleibt.",
  searched_by_words: "Gesucht wurde nur nach Wörtern, weil das Suchmodell nicht antwortet.",
  translation_unavailable:
    "Zum Übersetzen ist kein Modell da. Die Administration kann eines einstellen.",
  translation_empty: "Das Modell lieferte keine Übersetzung. Versuchen Sie es erneut.",

  // media of automations
  source_too_large:
    "Eine Prüfung dieser Quelle dauert zu lange. Beobachten Sie einen kleineren Ordner.",
  signature_invalid:
    "Die Unterschrift des Webhooks stimmt nicht. Prüfen Sie Geheimnis und Uhrzeit.",
  completion_unavailable:
    "Kein Modell läuft, das Bilder beschreiben könnte. Wenden Sie sich an die " +
    "Administration.",
  image_not_described:
    "Das Modell lieferte keine Beschreibung des Bildes. Versuchen Sie es erneut.",
  transcription_invalid: "Das Transkript ist zu lang. Senden Sie eine kürzere Aufnahme.",
  transcription_busy:
    "Die Spracherkennung ist ausgelastet. Versuchen Sie es gleich erneut.",
  transcription_failed: "Die Spracherkennung ist fehlgeschlagen. Versuchen Sie es erneut.",
  transcription_refused:
    "Die Spracherkennung lehnt die Aufnahme ab. Senden Sie ein anderes Format.",
  transcription_timeout:
    "Die Spracherkennung hat zu lange gebraucht. Senden Sie ein kürzeres Medium.",
  transcription_unreachable:
    "Die Spracherkennung ist nicht erreichbar. Fragen Sie die Administration.",
  medium_too_large:
    "Die Aufnahme ist für die Spracherkennung zu groß. Senden Sie eine kürzere.",
};
