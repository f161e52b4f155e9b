/**
 * Frequent words that carry no meaning, in English and German. Other languages have none here.
 * Source: the Snowball project's lists.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them " +
    "their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing " +
    "would should could ought s t re ve ll d m isn aren wasn weren hasn haven hadn doesn don didn won wouldn shan shouldn can cannot couldn mustn " +
    "let a an the and but if or because as until while of at by for with about against between into through during before after above below to " +
    "from up down in out on off over under again further then once here there when where why how all any both each few more most other some such " +
    "no nor not only own same so than too very " +
    "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei bin bis bist da damit dann " +
    "der den des dem die das dass daß derselbe denselben dein deine deinem deinen deiner deines denn dich dir du dies diese diesem diesen dieser " +
    "dieses doch dort durch ein eine einem einen einer eines einig einige einigem einigen einiger einiges einmal er ihn ihm es etwas euer eure " +
    "eurem euren eurer eures für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich mich mir ihr ihre ihrem ihren ihrer ihres euch " +
    "im indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner keines können könnte " +
    "machen man manche manchem manchen mancher manches mein meine meinem meinen meiner meines mit muss musste nach nicht nichts noch nun nur ob " +
    "oder ohne sehr sein seine seinem seinen seiner seines selbst sich sie ihnen sind solche solchem solchen solcher solches soll sollte sondern " +
    "sonst über um und uns unse unsem unsen unser unses unter viel vom von vor während war waren warst was weg weil weiter welche welchem welchen " +
    "welcher welches wenn werde werden wie wieder will wir wird wirst wo wollen wollte würde würden zu zum zur zwar zwischen"
  ).split(" "),
);
