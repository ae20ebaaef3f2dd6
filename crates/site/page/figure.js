// <rasterscan-figure job="scan values:3,1,7,0,4 -a horn" pass="2"></rasterscan-figure>: a live run in an article. The attributes
// are those of a link: job, beside, pass, stage, pin. What stands inside the element is shown where no script runs.
const OPTIONS = ["beside", "pass", "stage", "pin"];

customElements.define("rasterscan-figure", class extends HTMLElement {
    static observedAttributes = ["job", ...OPTIONS];

    constructor() {
        super();
        this.attachShadow({ mode: "open" }).innerHTML =
            "<style>:host { display: block; height: 22em } iframe { width: 100%; height: 100%; border: 0 }</style>";
    }

    connectedCallback() {
        this.show();
    }

    attributeChangedCallback() {
        if (this.isConnected) this.show();
    }

    show() {
        const job = (this.getAttribute("job") ?? "").trim();
        const options = OPTIONS.filter((name) => this.hasAttribute(name))
            .flatMap((name) => [`--${name}`, this.getAttribute(name)]);
        const words = ["--embed", ...job.split(/\s+/).filter((word) => word !== ""), ...options];
        const frame = this.frame ??= this.shadowRoot.appendChild(document.createElement("iframe"));
        frame.title = this.title || `rasterscan: ${job}`;
        frame.src = new URL(`index.html?${words.map(encodeURIComponent).join("&")}`, import.meta.url);
    }
});
